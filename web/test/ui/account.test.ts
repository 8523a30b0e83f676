import { afterEach, expect, test, vi } from "vitest";
import { OwnAccount } from "../../src/lib/account/account.svelte.ts";

const anna = {
  name: "Anna",
  shown: "Anna",
  created: 0,
  sessions: [],
  seats: {},
  has_password: true,
  passkeys: [],
  ratings: [],
  blocks: [],
};

/** What the server is asked, and how each of it is answered. */
function held(): Map<string, (body: unknown) => void> {
  const asked = new Map<string, (body: unknown) => void>();
  vi.stubGlobal(
    "fetch",
    (path: string) =>
      new Promise((done) => asked.set(path, (body) => done(new Response(JSON.stringify(body), { status: 200 })))),
  );
  return asked;
}

afterEach(() => vi.unstubAllGlobals());

test("an answer that is late does not undo what was done meanwhile", async () => {
  const [asked, account] = [held(), new OwnAccount()];
  account.current = anna;
  const looking = account.load();
  const leaving = account.signOut();
  asked.get("/api/account/sign-out")!({});
  await leaving;
  asked.get("/api/account")!({ offered: true, account: anna });
  await looking;
  expect(account.current).toBeNull();
  expect(account.offered).toBe(true);
});

test("another tab asks again when something has changed here", async () => {
  const [asked, here, there] = [held(), new OwnAccount(), new OwnAccount()];
  const describing = here.describe("Anna of the marshes");
  asked.get("/api/account/profile")!({ offered: true, account: anna });
  await describing;
  await vi.waitFor(() => expect(asked.has("/api/account")).toBe(true));
  asked.get("/api/account")!({ offered: true, account: { ...anna, shown: "Anna of the marshes" } });
  await vi.waitFor(() => expect(there.shown).toBe("Anna of the marshes"));
});
