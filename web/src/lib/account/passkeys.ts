import { isNumber } from "../net/address.ts";
import { OfflineError, RefusedError } from "../net/call.ts";
import { sentence } from "../state/table/words.ts";
import { accounts, type NewPasskey, type SignedPasskey } from "./calls.ts";

/** Passkeys are for pages that nobody can have changed on the way, of a server that has a name. */
export const passkeysWork = (): boolean =>
  isSecureContext &&
  typeof PublicKeyCredential === "function" &&
  "parseRequestOptionsFromJSON" in PublicKeyCredential &&
  !isNumber(location.hostname);

/** What the browser says when nothing was signed, in plain words. */
const reasons: Record<string, string> = {
  NotAllowedError: "No passkey was used. It may not be on this device, or it took too long; please try again.",
  InvalidStateError: "This device has a passkey of your account already.",
  SecurityError: "This browser uses no passkeys on this page.",
};

const OTHERWISE = "No passkey can be used here just now. Another browser or device may do, or a password.";

/** What a device gives. What extensions of browsers give has these parts, but not always the methods that go with them. */
interface Given<Name extends string> {
  id: string;
  response: Record<Name, ArrayBuffer>;
}

async function fromDevice<Name extends string>(asked: Promise<Credential | null>): Promise<Given<Name>> {
  let found: Credential | null;
  try {
    found = await asked;
  } catch (error) {
    throw new Error(reasons[error instanceof DOMException ? error.name : ""] ?? OTHERWISE, { cause: error });
  }
  if (!found) throw new Error(reasons["NotAllowedError"]);
  return found as unknown as Given<Name>;
}

const text = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** Has the person choose a passkey, and sign with it who they are; `again`: with one of the account signed in to. */
export async function sign(again = false): Promise<SignedPasskey> {
  const { ticket, options } = await accounts.askPasskey(again);
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const { id, response } = await fromDevice<"clientDataJSON" | "authenticatorData" | "signature">(
    navigator.credentials.get({ publicKey }),
  );
  const [client, told] = [text(response.clientDataJSON), text(response.authenticatorData)];
  return { ticket, id, client, told, signature: text(response.signature) };
}

/** Has the device make a passkey as the server has `asked`. */
export async function make({ ticket, options }: Awaited<ReturnType<typeof accounts.askToAdd>>): Promise<NewPasskey> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const { id, response } = await fromDevice<"clientDataJSON" | "attestationObject">(
    navigator.credentials.create({ publicKey }),
  );
  return { ticket, id, client: text(response.clientDataJSON), made: text(response.attestationObject) };
}

/** What newer browsers listen to; the types know nothing of it yet. */
interface Signals {
  signalUnknownCredential?: (told: { rpId: string; credentialId: string }) => Promise<void>;
}

/** Tells the device that a passkey opens nothing here, so that it offers it no more, where browsers can do so. */
export function forget(id: string): void {
  if (!passkeysWork()) return;
  const device = PublicKeyCredential as unknown as Signals;
  device.signalUnknownCredential?.({ rpId: location.hostname, credentialId: id }).catch(() => undefined);
}

/** Refusals that come before anything is kept; after others it may have been kept all the same. */
const UNKEPT = ["name_taken", "bad_request", "not_signed_in", "too_many"];
const LEFT = "Your device has made a passkey that opens nothing: if it still offers it, delete it there.";
const PERHAPS = "The passkey that your device has made may be kept here all the same: try to sign in with it first.";

/** What the server says to a passkey that was `made`: where it has not kept it, the device and the person hear of it. */
export async function keptIfMade<T>({ id }: NewPasskey, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof OfflineError) throw new Error(`${error.message} ${PERHAPS}`, { cause: error });
    if (!(error instanceof RefusedError) || error.refusal.code === "passkey_known") throw error;
    const unkept = UNKEPT.includes(error.refusal.code);
    if (unkept) forget(id);
    throw new Error(`${sentence(error.message)}. ${unkept ? LEFT : PERHAPS}`, { cause: error });
  }
}
