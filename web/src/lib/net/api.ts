import type { Course, HintResult, Job } from "../analysis/types.ts";
import type { Controller, GameInfo, LogEntry, MatchSummary, Paragraph, Refusal, StaticGame, View } from "./types.ts";

/** An answer the server refused, with its reason and the paragraph behind it. */
export class RefusedError extends Error {
  constructor(readonly status: number, readonly refusal: Refusal) {
    super(refusal.message);
  }
}

/** The server could not be reached at all. */
export class OfflineError extends Error {}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const raw = typeof body === "string" || body instanceof Blob;
  let response: Response;
  try {
    response = await fetch(`/api${path}`, {
      method,
      headers: body === undefined ? {} : { "content-type": raw ? "application/x-ndjson" : "application/json" },
      body: body === undefined ? null : raw ? (body as BodyInit) : JSON.stringify(body),
    });
  } catch {
    throw new OfflineError("The server does not answer.");
  }
  if (response.status >= 502 && response.status <= 504) throw new OfflineError("The server does not answer.");
  const text = await response.text();
  let data: unknown = null;
  try {
    data = text ? JSON.parse(text) : null;
  } catch {
    if (response.ok) return text as T;
  }
  if (!response.ok) throw new RefusedError(response.status, refusalOf(response, data));
  return data as T;
}

function refusalOf(response: Response, data: unknown): Refusal {
  const box = data as { error?: Refusal; detail?: unknown } | null;
  if (box?.error && typeof box.error === "object") return box.error;
  const detail = typeof box?.detail === "string" ? box.detail : "";
  return { code: String(response.status), message: detail || `The server answered ${response.status} ${response.statusText}.` };
}

const query = (args: Record<string, string | number | null | undefined>): string => {
  const pairs = Object.entries(args).filter(([, v]) => v !== null && v !== undefined && v !== "");
  return pairs.length ? `?${new URLSearchParams(pairs.map(([k, v]) => [k, String(v)]))}` : "";
};

export interface NewMatch {
  game: string; scenario: string; options: Record<string, string>; players: number;
  controllers: Record<string, Controller>; title?: string; seed?: number;
}
/** A lesson brings scenario, seats and opponent itself. */
export interface NewLesson { game: string; lesson: string }
export interface Created { id: string; keys: Record<string, string> }

export const requestId = (): string =>
  globalThis.crypto?.randomUUID?.() ?? `${Date.now()}-${Math.random().toString(36).slice(2)}`;

export const api = {
  games: () => call<GameInfo[]>("GET", "/games"),
  fixed: (game: string, scenario: string) => call<StaticGame>("GET", `/games/${game}/static${query({ scenario })}`),
  rules: (game: string) => call<{ paragraphs: Paragraph[] }>("GET", `/games/${game}/rules`),
  create: (body: NewMatch | NewLesson) => call<Created>("POST", "/matches", body),
  matches: () => call<MatchSummary[]>("GET", "/matches"),
  view: (id: string, seat: string, key: string, at?: number) =>
    call<View>("GET", `/matches/${id}/view${query({ seat, key, at })}`),
  act: (id: string, body: { seat: string; key: string; version: number; action: string; request_id: string }) =>
    call<{ view: View }>("POST", `/matches/${id}/actions`, body),
  undo: (id: string, body: { seat: string; key: string; version: number; to?: number }) =>
    call<{ view: View }>("POST", `/matches/${id}/undo`, body),
  controllers: (id: string, body: { seat: string; key: string; controller: Controller }) =>
    call<{ view?: View }>("POST", `/matches/${id}/controllers`, body),
  remove: (id: string, seat = "", key = "") => call<unknown>("DELETE", `/matches/${id}${query({ seat, key })}`),
  copy: (id: string, at: number, seat: string, key: string) => call<Created>("POST", `/matches/${id}/copy`, { at, seat, key }),
  log: (id: string, seat: string, key: string, from: number) =>
    call<LogEntry[]>("GET", `/matches/${id}/log${query({ seat, key, from })}`),
  hurry: (id: string, seat: string, key: string) => call<unknown>("POST", `/matches/${id}/hurry`, { seat, key }),
  query: <T>(id: string, seat: string, key: string, kind: string, args: Record<string, string | number>) =>
    call<T>("GET", `/matches/${id}/query${query({ seat, key, kind, ...args })}`),
  askHint: (id: string, seat: string, key: string) => call<Job<HintResult>>("POST", `/matches/${id}/hint`, { seat, key }),
  askCourse: (id: string, seat: string, key: string) => call<Job<Course>>("POST", `/matches/${id}/course`, { seat, key }),
  keptCourse: (id: string, seat: string, key: string) => call<{ course: Course | null }>("GET", `/matches/${id}/course${query({ seat, key })}`),
  job: <T>(id: string, seat: string, key: string, job: string) => call<Job<T>>("GET", `/matches/${id}/analysis/${job}${query({ seat, key })}`),
  cancelJob: (id: string, seat: string, key: string, job: string) => call<unknown>("DELETE", `/matches/${id}/analysis/${job}${query({ seat, key })}`),
  importFile: (body: string) => call<Created>("POST", "/import", body),
  exportUrl: (id: string, seat: string, key: string) => `/api/matches/${id}/export${query({ seat, key })}`,
};
