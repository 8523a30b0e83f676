import type { Course, HintResult, Job, StaffWish } from "../analysis/types.ts";
import { newShare, noteShare, shareFor } from "../dice/notes.ts";
import { call, OfflineError } from "./call.ts";
import { knowsStore } from "./store.ts";
import type { Acting, Caller, NewLesson, NewMatch, Wish } from "./bodies.ts";
import type { Change } from "./viewCache.ts";
import type {
  ClockInfo,
  Controller,
  Created,
  GameInfo,
  Guides,
  InvitationInfo,
  LogEntry,
  MailAgreed,
  Mark,
  MatchSummary,
  Message,
  NoticeInfo,
  StandingInfo,
  NoticeWay,
  OpenTable,
  RatingList,
  Paragraph,
  SeatsInfo,
  MapNotes,
  StaticGame,
  Term,
  View,
} from "./types.ts";

export { call, LETTER, OfflineError, RefusedError } from "./call.ts";

/** Requests for new matches that were not answered, with their ids: asked for again, the same match is given. */
const unanswered = new Map<string, { id: string; share: string }>();

async function create(path: string, body: unknown, shared = false): Promise<Created> {
  const what = `${path} ${typeof body === "string" ? body : JSON.stringify(body)}`;
  const { id, share } = unanswered.get(what) ?? { id: requestId(), share: newShare() };
  unanswered.set(what, { id, share });
  try {
    const made = await call<Created>("POST", path, shared ? { ...(body as object), share } : body, {
      "idempotency-key": id,
    });
    unanswered.delete(what);
    if (shared) noteShare(made.id, share);
    return made;
  } catch (error) {
    if (!(error instanceof OfflineError)) unanswered.delete(what);
    throw error;
  }
}

const IMPORT_LOOK_MS = 500;

/** A saved game is played through before it is kept; `heard` is called with how many of its lines are read. */
async function importFile(body: string, heard: (done: number, total: number) => void): Promise<Created> {
  const made = create("/import", body);
  const id = unanswered.get(`/import ${body}`)?.id ?? "";
  const looking = setInterval(() => {
    const asked = call<{ done: number; total: number }>("GET", "/import", undefined, { "idempotency-key": id });
    asked.then((found) => heard(found.done, found.total)).catch(() => undefined); // the answer itself says what is wrong
  }, IMPORT_LOOK_MS);
  try {
    return await made;
  } finally {
    clearInterval(looking);
  }
}

/** Keys go into a header: an address ends up in histories and in the logs of proxies. */
const keyed = (key: string): Record<string, string> => (key ? { "x-seat-key": key } : {});

export const get = <T>(path: string, key: string): Promise<T> => call<T>("GET", path, undefined, keyed(key));

export const query = (args: Record<string, string | number | null | undefined>): string => {
  const pairs = Object.entries(args).filter(([, v]) => v !== null && v !== undefined && v !== "");
  return pairs.length ? `?${new URLSearchParams(pairs.map(([k, v]) => [k, String(v)]))}` : "";
};

/** Nobody can guess it, over plain HTTP either, where browsers give no UUIDs. */
export const requestId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The path of a request. What is put into it is a number or a name, and no way to another path. */
export function to(parts: TemplateStringsArray, ...names: string[]): string {
  if (!names.every((name) => /^[\w-]+$/.test(name))) throw new Error("There is nothing at this address.");
  return String.raw(parts, ...names);
}

/** Who takes a seat: under which name, with which other keys to the match, and whether told of hints for all. */
export interface Guest {
  name: string;
  keys: Record<string, string>;
  hints: boolean;
}

export const api = {
  /** Until the store is named nobody knows which of the things kept in this browser belong to it. */
  named: async (): Promise<void> => {
    if (!knowsStore()) await call("GET", "/games");
  },
  games: () => call<GameInfo[]>("GET", "/games"),
  /** `data`: the version of the game's data, as a view names it. */
  fixed: (game: string, scenario: string, data?: string) =>
    call<StaticGame>("GET", to`/games/${game}/static` + query({ scenario, data })),
  glossary: (game: string) => call<{ terms: Term[] }>("GET", to`/games/${game}/glossary`),
  guides: (game: string) => call<Guides>("GET", to`/games/${game}/guides`),
  rules: (game: string) => call<{ paragraphs: Paragraph[] }>("GET", to`/games/${game}/rules`),
  create: (body: NewMatch | NewLesson) => create("/matches", body, true),
  matches: () => call<MatchSummary[]>("GET", "/matches"),
  lobby: (keys: Record<string, Record<string, string>>) => call<MatchSummary[]>("POST", "/lobby", { keys }),
  sit: (id: string, keys: Record<string, string>) =>
    call<{ keys: Record<string, string>; to_move: string | null; controllers: Record<string, Controller> }>(
      "POST",
      to`/matches/${id}/sit`,
      { keys },
    ),
  view: (id: string, seat: string, key: string, at?: number) =>
    get<View>(to`/matches/${id}/view` + query({ seat, at }), key),
  /** With `have`, the tag of the view at hand, what changed of it is answered. */
  act: (id: string, body: Acting & { have?: string }, signal?: AbortSignal) =>
    call<{ view?: View; change?: Change }>("POST", to`/matches/${id}/actions`, body, {}, signal),
  undo: (id: string, body: { seat: string; key: string; version: number; to?: number }) =>
    call<{ view: View }>("POST", to`/matches/${id}/undo`, body),
  controllers: (
    id: string,
    body: { seat: string; key: string; controller: Controller; of?: string; opens?: boolean },
  ) => call<{ view?: View; keys: Record<string, string> }>("POST", to`/matches/${id}/controllers`, body),
  seats: (id: string, seat: string, key: string) => get<SeatsInfo>(to`/matches/${id}/seats` + query({ seat }), key),
  invite: (id: string, body: Caller & { of: string; kind: "guest" | "device" }) =>
    call<{ token: string }>("POST", to`/matches/${id}/invitations`, body),
  uninvite: (id: string, body: Caller & { of: string }) =>
    call<unknown>("POST", to`/matches/${id}/invitations/revoke`, body),
  agree: (
    id: string,
    body: Caller & { topic: "hints" | "invite" | "computer"; of?: string; bot?: string; yes?: boolean },
  ) => call<{ done: boolean; token?: string }>("POST", to`/matches/${id}/agree`, body),
  end: (id: string, body: Caller & { how: "resign" | "draw"; yes?: boolean }) =>
    call<{ done: boolean; word: string }>("POST", to`/matches/${id}/end`, body),
  /** `first`: nobody sitting here has come to it yet, and a share in its dice goes out. */
  rematch: (id: string, seat: string, key: string, first: boolean) =>
    create(to`/matches/${id}/rematch`, { seat, key }, first),
  talk: (id: string, seat: string, key: string, since: number) =>
    get<{ messages: Message[] }>(to`/matches/${id}/talk` + query({ seat, since }), key),
  say: (id: string, body: { seat: string; key: string; text: string; to: "table" | "side"; request_id: string }) =>
    call<{ number: number }>("POST", to`/matches/${id}/talk`, body),
  notes: (id: string, seat: string, key: string) =>
    get<{ text: string; version: string }>(to`/matches/${id}/notes` + query({ seat }), key),
  noteDown: (id: string, body: { seat: string; key: string; text: string; version: string }) =>
    call<{ version: string }>("POST", to`/matches/${id}/notes`, body),
  mapNotes: (id: string, seat: string, key: string) =>
    get<MapNotes>(to`/matches/${id}/map-notes` + query({ seat }), key),
  draw: (id: string, body: { seat: string; key: string; marks: Mark[]; version: string }) =>
    call<{ version: string }>("POST", to`/matches/${id}/map-notes`, body),
  anotherKey: (id: string, seat: string, key: string) =>
    call<{ key: string }>("POST", to`/matches/${id}/keys`, { seat, key }),
  onlyKey: (id: string, seat: string, key: string) =>
    call<unknown>("POST", to`/matches/${id}/keys/only`, { seat, key }),
  leave: (id: string, seat: string, key: string) => call<unknown>("POST", to`/matches/${id}/leave`, { seat, key }),
  look: (token: string) => call<InvitationInfo>("POST", "/invitations/look", { token }),
  claim: (token: string, request_id: string, guest: Guest) =>
    call<{ id: string; seat: string; key: string }>("POST", "/invitations/claim", {
      token,
      request_id,
      ...guest,
      share: shareFor(request_id),
    }),
  tables: () => call<OpenTable[]>("GET", "/tables"),
  ratings: (game: string) => call<RatingList>("GET", `/ratings/${encodeURIComponent(game)}`),
  publish: (id: string, body: Caller & Wish & { of: string }) =>
    call<unknown>("POST", to`/matches/${id}/publish`, body),
  withdraw: (id: string, body: Caller & { of: string }) =>
    call<unknown>("POST", to`/matches/${id}/publish/withdraw`, body),
  lookAtTable: (match: string, seat: string) => call<InvitationInfo>("POST", "/tables/look", { match, seat }),
  takeSeat: (match: string, seat: string, request_id: string, guest: Guest) =>
    call<{ id: string; seat: string; key: string }>("POST", "/tables/take", {
      match,
      seat,
      request_id,
      ...guest,
      share: shareFor(request_id),
    }),
  clock: (id: string, seat: string, key: string) => get<ClockInfo>(to`/matches/${id}/clock` + query({ seat }), key),
  holiday: (id: string, body: { seat: string; key: string; days: number }) =>
    call<ClockInfo>("POST", to`/matches/${id}/holiday`, body),
  standing: (id: string, seat: string, key: string) =>
    get<StandingInfo>(to`/matches/${id}/standing` + query({ seat }), key),
  setStanding: (id: string, body: { seat: string; key: string } & Pick<StandingInfo, "mode" | "policies">) =>
    call<StandingInfo>("POST", to`/matches/${id}/standing`, body),
  notices: (id: string, seat: string, key: string) =>
    get<NoticeInfo>(to`/matches/${id}/notices` + query({ seat }), key),
  tell: (id: string, body: { seat: string; key: string; proof: string } & Pick<NoticeWay, "form" | "address">) =>
    call<unknown>("POST", to`/matches/${id}/notices`, body),
  tellNoMore: (id: string, seat: string, key: string) =>
    call<unknown>("POST", to`/matches/${id}/notices/off`, { seat, key }),
  confirmMail: (token: string) => call<MailAgreed>("POST", "/notices/confirm", { token }),
  stopNotices: (token: string) => call<unknown>("POST", "/notices/stop", { token }),
  remove: (id: string, seat = "", key = "") =>
    call<unknown>("DELETE", to`/matches/${id}` + query({ seat }), undefined, keyed(key)),
  copy: (id: string, at: number, seat: string, key: string) => create(to`/matches/${id}/copy`, { at, seat, key }),
  log: (id: string, seat: string, key: string, from: number) =>
    get<LogEntry[]>(to`/matches/${id}/log` + query({ seat, from }), key),
  hurry: (id: string, seat: string, key: string) => call<unknown>("POST", to`/matches/${id}/hurry`, { seat, key }),
  query: <T>(id: string, seat: string, key: string, kind: string, args: Record<string, string | number>) =>
    get<T>(to`/matches/${id}/query` + query({ seat, kind, ...args }), key),
  askHint: (id: string, seat: string, key: string, wish: StaffWish | null) =>
    call<Job<HintResult>>("POST", to`/matches/${id}/hint`, { seat, key, ...wish }),
  askCourse: (id: string, seat: string, key: string) =>
    call<Job<Course>>("POST", to`/matches/${id}/course`, { seat, key }),
  keptCourse: (id: string, seat: string, key: string) =>
    get<{ course: Course | null }>(to`/matches/${id}/course` + query({ seat }), key),
  job: <T>(id: string, seat: string, key: string, job: string) =>
    get<Job<T>>(to`/matches/${id}/analysis/${job}` + query({ seat }), key),
  cancelJob: (id: string, seat: string, key: string, job: string) =>
    call<unknown>("DELETE", to`/matches/${id}/analysis/${job}` + query({ seat }), undefined, keyed(key)),
  importFile,
  /** The text of the saved game. */
  save: (id: string, seat: string, key: string) => get<string>(to`/matches/${id}/export` + query({ seat }), key),
};
