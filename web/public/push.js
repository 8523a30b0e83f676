// Shows notices that come while no page is open; it keeps nothing and answers no request.

self.addEventListener("push", (event) => {
  const told = event.data.json();
  const shown = { body: told.text, data: told, tag: told.link, icon: "/icon.svg", badge: "/icon.svg" };
  const actions = [{ action: "stop", title: "No more of this" }];
  event.waitUntil(self.registration.showNotification("rasputitsa", { ...shown, actions }));
});

self.addEventListener("notificationclick", (event) => {
  const { link, stop } = event.notification.data;
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.action === "stop" ? stop : link));
});
