import { call } from "../net/api.ts";
import type { AccountExport, AccountInfo, NewPasskeyAsked, PasskeyAsked, SeatsKept } from "../net/types.ts";

/** Who somebody says to be, when signing in. */
export interface Credentials {
  name: string;
  password: string;
}

/** A challenge signed with a passkey; all but the ticket in base64url, as browsers give it. */
export interface SignedPasskey {
  ticket: string;
  id: string;
  client: string;
  told: string;
  signature: string;
}

/** A passkey that the device has made. */
export interface NewPasskey {
  ticket: string;
  id: string;
  client: string;
  made: string;
}

/** How the person signed in proves once more who they are. */
export type Proof = { password: string } | { passkey: SignedPasskey };

/** A person one does not want to meet again: the holder of a seat in a match; and the own seat there. */
export interface BlockBody {
  match: string;
  of: string;
  seat: string;
  key: string;
}

/** What is asked of the server about one's account. */
export const accounts = {
  look: () => call<AccountInfo>("GET", "/account"),
  register: (body: Credentials) => call<AccountInfo>("POST", "/account/register", body),
  /** `new`: a password of one's own, where the one there is was set by the host and is good once. */
  signIn: (body: Credentials & { new?: string }) => call<AccountInfo>("POST", "/account/sign-in", body),
  signOut: () => call<unknown>("POST", "/account/sign-out", {}),
  /** Signs out one other browser, or all others. */
  endSessions: (session = "") => call<AccountInfo>("POST", "/account/sessions/end", { session }),
  changePassword: (proof: Proof, changed: string) =>
    call<AccountInfo>("POST", "/account/password", { ...proof, new: changed }),
  describe: (shown: string) => call<AccountInfo>("POST", "/account/profile", { shown }),
  keep: (keys: Record<string, Record<string, string>>) => call<SeatsKept>("POST", "/account/seats", { keys }),
  block: (body: BlockBody) => call<AccountInfo>("POST", "/account/blocks", body),
  unblock: (id: string) => call<AccountInfo>("POST", "/account/blocks/remove", { id }),
  export: () => call<AccountExport>("POST", "/account/export", {}),
  remove: (proof: Proof) => call<unknown>("POST", "/account/delete", proof),
  /** To sign in, or to show once more to be the one who is signed in. */
  askPasskey: (again: boolean) => call<PasskeyAsked>("POST", "/account/passkeys/ask", { again }),
  signInWith: (signed: SignedPasskey) => call<AccountInfo>("POST", "/account/passkeys/sign-in", signed),
  askToRegister: (name: string) => call<NewPasskeyAsked>("POST", "/account/passkeys/register/ask", { name }),
  registerWith: (made: NewPasskey) => call<AccountInfo>("POST", "/account/passkeys/register", made),
  askToAdd: (proof: Proof) => call<NewPasskeyAsked>("POST", "/account/passkeys/add/ask", proof),
  addPasskey: (made: NewPasskey) => call<AccountInfo>("POST", "/account/passkeys/add", made),
  removePasskey: (id: string, proof: Proof) => call<AccountInfo>("POST", "/account/passkeys/remove", { ...proof, id }),
};
