import { call } from "../net/api.ts";
import type { AccountExport, AccountInfo, SeatsKept } from "../net/types.ts";

/** Who somebody says to be, when signing in. */
export interface Credentials {
  name: string;
  password: string;
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
  changePassword: (password: string, changed: string) =>
    call<AccountInfo>("POST", "/account/password", { password, new: changed }),
  describe: (shown: string) => call<AccountInfo>("POST", "/account/profile", { shown }),
  keep: (keys: Record<string, Record<string, string>>) => call<SeatsKept>("POST", "/account/seats", { keys }),
  export: () => call<AccountExport>("POST", "/account/export", {}),
  remove: (password: string) => call<unknown>("POST", "/account/delete", { password }),
};
