import { hearOfStore, STORE_HEADER } from "./store.ts";
import type { Refusal } from "./types.ts";

/** An answer the server refused, with its reason and the paragraph behind it. */
export class RefusedError extends Error {
  constructor(
    readonly status: number,
    readonly refusal: Refusal,
  ) {
    super(refusal.message);
  }
}

/** The server could not be reached at all. */
export class OfflineError extends Error {}

/** A network that swallows requests must not hold the page up forever; what is large may take its time. */
const PATIENCE_MS = 15_000;
const LARGE_PATIENCE_MS = 180_000;
const LARGE = /^\/(import|letters.*|matches|matches\/\d+\/(copy|export|log).*)$/;
/** The present is asked for again and again; the past may have to be worked out. */
const PRESENT = /^\/matches\/\d+\/view(?!.*[?&]at=)/;
const PRESENT_PATIENCE_MS = 8000;

const patience = (path: string): number =>
  LARGE.test(path) ? LARGE_PATIENCE_MS : PRESENT.test(path) ? PRESENT_PATIENCE_MS : PATIENCE_MS;

/** Matches by letters are asked for at a place of their own. */
export const LETTER = "letter-";
const ofLetters = (path: string): string => path.replace(`/matches/${LETTER}`, "/letters/");

/** A request that comes a little too fast is sent again a moment later: nothing was done yet, and nobody need know. */
const RUSH_TRIES = 4;
const RUSH_S = 2;

export async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  given?: AbortSignal,
): Promise<T> {
  for (let left = RUSH_TRIES - 1; ; left -= 1) {
    const { response, text } = await exchange(method, path, body, headers, given);
    const wait = response.status === 429 ? Number(response.headers.get("retry-after") ?? Infinity) : Infinity;
    if (!left || wait > RUSH_S || given?.aborted) return answerOf<T>(response, text);
    await new Promise((go) => setTimeout(go, wait * 1000));
  }
}

async function exchange(
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string>,
  given?: AbortSignal,
): Promise<{ response: Response; text: string }> {
  const raw = typeof body === "string" || body instanceof Blob;
  const ending = new AbortController();
  const late = setTimeout(() => ending.abort(), patience(path));
  given?.addEventListener("abort", () => ending.abort());
  try {
    const response = await fetch(`/api${ofLetters(path)}`, {
      method,
      signal: ending.signal,
      headers:
        body === undefined
          ? headers
          : { "content-type": raw ? "application/x-ndjson" : "application/json", ...headers },
      body: body === undefined ? null : raw ? (body as BodyInit) : JSON.stringify(body),
    });
    const text = await response.text();
    hearOfStore(response.headers.get(STORE_HEADER));
    return { response, text };
  } catch {
    throw new OfflineError("The server does not answer.");
  } finally {
    clearTimeout(late);
  }
}

function answerOf<T>(response: Response, text: string): T {
  let data: unknown = null;
  try {
    data = text ? JSON.parse(text) : null;
  } catch {
    if (response.ok) return text as T;
  }
  // a gateway that finds no server behind it; the server itself gives its reason in the form of a refusal
  const gateway = response.status >= 502 && response.status <= 504 && !(data as { error?: unknown } | null)?.error;
  if (gateway) throw new OfflineError("The server does not answer.");
  if (!response.ok) throw new RefusedError(response.status, refusalOf(response, data));
  return data as T;
}

function refusalOf(response: Response, data: unknown): Refusal {
  const box = data as { error?: Refusal; detail?: unknown } | null;
  if (box?.error && typeof box.error === "object") return box.error;
  const detail = typeof box?.detail === "string" ? box.detail : "";
  return {
    code: String(response.status),
    message: detail || `The server answered ${response.status} ${response.statusText}.`,
  };
}
