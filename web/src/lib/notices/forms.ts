import type { MailAgreed, NoticeWay } from "../net/types.ts";

export type Form = NoticeWay["form"];

/** The services that may be notified, by their form. */
export const FORMS: Record<Form, string> = {
  mail: "mail",
  push: "this browser",
  ntfy: "ntfy (on your phone)",
  discord: "Discord",
  slack: "Slack",
  json: "another web address (JSON)",
};

interface Place {
  form: Form;
  address: string;
}
const KEY = "rasputitsa.notices";

/** The ways a server offers. */
export function formsOf(mail: boolean, push: boolean): Form[] {
  const left = { mail: !mail, push: !push } as Partial<Record<Form, boolean>>;
  return (Object.keys(FORMS) as Form[]).filter((form) => !left[form]);
}

/** What goes into the field of an address. */
export function exampleOf(form: Form): string {
  if (form === "mail") return "name@mail.example";
  return form === "ntfy" ? "https://ntfy.sh/a-topic-nobody-guesses" : "https://";
}

/** Where this browser's player was notified last, to begin with in the next match. */
export function lastPlace(): Place {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "null") as Partial<Place> | null;
    if (found?.form && found.form in FORMS && typeof found.address === "string") return found as Place;
  } catch {
    /* as if nothing were noted */
  }
  return { form: "ntfy", address: "" };
}

export function notePlace(place: Place): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(place));
  } catch {
    /* then it is typed again */
  }
}

const AGREED = "rasputitsa.mail";

/** That this browser's player has agreed to mail at an address, which is shown with the next match. */
export function noteAgreed(agreed: MailAgreed): void {
  try {
    localStorage.setItem(AGREED, JSON.stringify(agreed));
  } catch {
    /* then it is asked again */
  }
}

/** What proves it for an address; empty if nothing does. */
export function proofOf(address: string): string {
  try {
    const found = JSON.parse(localStorage.getItem(AGREED) ?? "null") as Partial<MailAgreed> | null;
    const same = found?.address?.toLowerCase() === address.toLowerCase();
    return same && typeof found?.proof === "string" ? found.proof : "";
  } catch {
    return "";
  }
}
