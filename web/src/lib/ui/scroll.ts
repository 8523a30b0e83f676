import { tick } from "svelte";
import type { Attachment } from "svelte/attachments";

/** Shows the end of a list again whenever what `news` reads has changed: the newest line is the one to be read.
    With `lines` and the `headings` that stay at its top, the list is moved on so far that it begins with a whole line. */
export const toEnd =
  (news: () => unknown, lines = "", headings = lines): Attachment<HTMLElement> =>
  (list) => {
    news();
    let end = 0;
    const show = (): void => {
      if (lines) beginWhole(list, lines, headings);
      list.scrollTo({ top: list.scrollHeight });
      end = list.scrollTop;
    };
    void tick().then(show);
    if (!lines) return;
    const room = new ResizeObserver(() => {
      // a reader further up stays there
      const most = list.scrollHeight - list.clientHeight;
      if (Math.abs(list.scrollTop - end) < 2 || list.scrollTop > most - 2) show();
    });
    room.observe(list, { box: "border-box" });
    return () => room.disconnect();
  };

/** Leaves as much room below the last line that the first one seen at the end is whole. */
function beginWhole(list: HTMLElement, lines: string, headings: string): void {
  list.style.paddingBottom = "";
  const covered = headings === lines ? 0 : (list.querySelector<HTMLElement>(headings)?.offsetHeight ?? 0);
  list.style.scrollPaddingTop = `${covered}px`;
  const most = list.scrollHeight - list.clientHeight;
  if (most <= 0) return;
  const start = list.getBoundingClientRect().top + list.clientTop + covered - list.scrollTop;
  const tops = [...list.querySelectorAll(lines)].map((line) => line.getBoundingClientRect().top - start);
  const usual = parseFloat(getComputedStyle(list).paddingBottom);
  const first = [0, ...tops].find((top) => top >= most - usual);
  if (first === undefined) return;
  list.style.paddingBottom = `${usual + first - most}px`;
}
