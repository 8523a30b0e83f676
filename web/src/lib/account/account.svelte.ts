import { api } from "../net/api.ts";
import type { Account, AccountInfo } from "../net/types.ts";
import { allKeys, keep, keysOf } from "../state/match/keys.ts";
import { setApart, standsApart } from "./apart.ts";
import { accounts, type BlockBody, type Credentials, type Proof } from "./calls.ts";
import { forget, keptIfMade, make, sign } from "./passkeys.ts";

/** Who is signed in in this browser, if the server keeps accounts. */
export class OwnAccount {
  offered = $state(false);
  current = $state.raw<Account | null>(null);
  private asked: Promise<void> | null = null;
  private changes = 0;
  /** The other tabs of this browser, which show the same account. */
  private readonly tabs = new BroadcastChannel("rasputitsa.account");

  constructor() {
    this.tabs.onmessage = () => void this.load();
  }

  /** What the player is called at the table, if nothing else is typed. */
  get shown(): string {
    return this.current?.shown ?? "";
  }

  holds(match: string): boolean {
    return Boolean(this.current?.seats[match]?.length);
  }

  /** Asks the server; at the first time all who ask wait for the same answer. */
  known(): Promise<void> {
    this.asked ??= this.load();
    return this.asked;
  }

  async load(): Promise<void> {
    const changes = this.changes;
    try {
      const info = await accounts.look();
      if (changes === this.changes) this.take(info); // else it is older than what was done here meanwhile
    } catch {
      this.asked = null; // the next question tries again
    }
  }

  private take(info: AccountInfo): void {
    this.offered = info.offered;
    this.current = info.account;
  }

  /** Something has changed here: the other tabs ask again. */
  private tell(info: AccountInfo): void {
    this.changes += 1;
    this.take(info);
    this.tabs.postMessage("");
  }

  async register(who: Credentials): Promise<void> {
    await this.enter(accounts.register(who));
  }

  async signIn(who: Credentials, changed = ""): Promise<void> {
    await this.enter(accounts.signIn({ ...who, new: changed }));
  }

  async registerWithPasskey(name: string): Promise<void> {
    const made = await make(await accounts.askToRegister(name));
    await this.enter(keptIfMade(made, accounts.registerWith(made)));
  }

  async signInWithPasskey(): Promise<void> {
    await this.enter(accounts.signInWith(await sign()));
  }

  /** By the password, or where none is typed, with a passkey. */
  private async prove(password: string): Promise<Proof> {
    return password ? { password } : { passkey: await sign(true) };
  }

  async addPasskey(password: string): Promise<void> {
    const made = await make(await accounts.askToAdd(await this.prove(password)));
    this.tell(await keptIfMade(made, accounts.addPasskey(made)));
  }

  async removePasskey(id: string, password: string): Promise<void> {
    this.tell(await accounts.removePasskey(id, await this.prove(password)));
    forget(id);
  }

  private async enter(answer: Promise<AccountInfo>): Promise<void> {
    const info = await answer;
    await api.named();
    setApart(Object.keys(allKeys()).filter((match) => !info.account?.seats[match]));
    this.tell(info);
  }

  /** The keys of the account's seats end with it, so that the next user of this browser finds none. */
  async signOut(): Promise<void> {
    await accounts.signOut();
    for (const [match, seats] of Object.entries(this.current?.seats ?? {})) {
      const rest = Object.entries(keysOf(match)).filter(([seat]) => !seats.includes(seat));
      if (rest.length < Object.keys(keysOf(match)).length) keep(match, Object.fromEntries(rest));
    }
    this.tell({ offered: true, account: null });
  }

  async endSessions(session = ""): Promise<void> {
    this.tell(await accounts.endSessions(session));
  }

  async changePassword(password: string, changed: string): Promise<void> {
    this.tell(await accounts.changePassword(await this.prove(password), changed));
  }

  async describe(shown: string): Promise<void> {
    this.tell(await accounts.describe(shown));
  }

  async block(whom: BlockBody): Promise<void> {
    this.tell(await accounts.block(whom));
  }

  async unblock(id: string): Promise<void> {
    this.tell(await accounts.unblock(id));
  }

  async remove(password: string): Promise<void> {
    await accounts.remove(await this.prove(password));
    for (const { id } of this.current?.passkeys ?? []) forget(id);
    this.tell({ offered: true, account: null });
  }

  /** Matches to which this browser has keys from before somebody signed in. */
  apart(): string[] {
    return Object.keys(allKeys()).filter((match) => standsApart(match) && !this.holds(match));
  }

  /** Keeps seats that this browser had before with the account. */
  async keepApart(): Promise<void> {
    await accounts.keep(Object.fromEntries(this.apart().map((match) => [match, keysOf(match)])));
    setApart([]);
    await this.load();
  }

  /** A match is opened: what is new here to the person signed in is kept with the account. */
  async keepHere(match: string, keys: Record<string, string>): Promise<void> {
    await this.known();
    const held = this.current?.seats[match] ?? [];
    if (!this.current || standsApart(match) || Object.keys(keys).every((seat) => held.includes(seat))) return;
    await accounts.keep({ [match]: keys });
    await this.load();
  }
}

export const account = new OwnAccount();
