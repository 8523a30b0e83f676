import { tick } from "svelte";
import type { Attachment } from "svelte/attachments";

/** Shows the end of a list again whenever what `news` reads has changed: the newest line is the one to be read. */
export const toEnd =
  (news: () => unknown): Attachment<HTMLElement> =>
  (list) => {
    news();
    void tick().then(() => list.scrollTo({ top: list.scrollHeight }));
  };
