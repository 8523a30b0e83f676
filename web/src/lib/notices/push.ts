/** Notices that this browser shows while no page of ours is open; its maker's push service carries them, encrypted. */

const WORKER = "/push.js";

/** Only on a page with TLS, or on this machine. */
export const canPush = (): boolean =>
  "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;

/** The address of this browser, `ENDPOINT#POINT.SECRET`; asks the player whether it may show notices. */
export async function subscribed(server: string): Promise<string> {
  if ((await Notification.requestPermission()) !== "granted")
    throw new Error("This browser does not let the page show notices. Allow it in its settings.");
  await navigator.serviceWorker.register(WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  const wanted = { userVisibleOnly: true, applicationServerKey: server };
  let found: PushSubscription;
  try {
    found = await pushManager.subscribe(wanted);
  } catch (problem) {
    // one for another key, as of an earlier server at this address, stands in the way
    const old = await pushManager.getSubscription();
    if (!old) throw new Error("This browser cannot be reached by notices.", { cause: problem });
    await old.unsubscribe();
    found = await pushManager.subscribe(wanted);
  }
  const { endpoint, keys } = found.toJSON();
  return `${endpoint}#${keys?.["p256dh"]}.${keys?.["auth"]}`;
}
