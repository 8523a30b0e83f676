import { isNumber } from "../net/address.ts";
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

async function fromDevice(asked: Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const found = await asked;
    if (found instanceof PublicKeyCredential) return found;
  } catch (error) {
    const reason = error instanceof DOMException ? reasons[error.name] : undefined;
    if (!reason) throw error;
    throw new Error(reason, { cause: error });
  }
  throw new Error(reasons["NotAllowedError"]);
}

/** What a device gives, in base64url. */
interface Told<Name extends string> {
  response: Record<Name, string>;
}

/** Has the person choose a passkey, and sign with it who they are; `again`: with one of the account signed in to. */
export async function sign(again = false): Promise<SignedPasskey> {
  const { ticket, options } = await accounts.askPasskey(again);
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const found = await fromDevice(navigator.credentials.get({ publicKey }));
  const { response } = found.toJSON() as Told<"clientDataJSON" | "authenticatorData" | "signature">;
  const { clientDataJSON: client, authenticatorData: told, signature } = response;
  return { ticket, id: found.id, client, told, signature };
}

/** Has the device make a passkey as the server has `asked`. */
export async function make({ ticket, options }: Awaited<ReturnType<typeof accounts.askToAdd>>): Promise<NewPasskey> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const found = await fromDevice(navigator.credentials.create({ publicKey }));
  const { response } = found.toJSON() as Told<"clientDataJSON" | "attestationObject">;
  return { ticket, id: found.id, client: response.clientDataJSON, made: response.attestationObject };
}
