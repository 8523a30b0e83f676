/**
 * Makes wrapped rows that are aligned right no wider than the widest of them: a box of wrapped things would keep the
 * width of them all in one row, and leave what is next to it too little.
 */
export function snug(box: HTMLElement): () => void {
  let room = 0;
  function fit(): void {
    box.style.width = "";
    const items = [...box.children] as HTMLElement[];
    const rows = new Set(items.map((e) => e.offsetTop + e.offsetHeight));
    if (rows.size < 2 || getComputedStyle(box).justifyContent !== "flex-end") return;
    const left = Math.min(...items.map((e) => e.getBoundingClientRect().left));
    box.style.width = `${Math.ceil(box.getBoundingClientRect().right - left)}px`;
  }
  const content = new MutationObserver(fit);
  content.observe(box, { childList: true, subtree: true, characterData: true });
  const size = new ResizeObserver(([entry]) => {
    const width = entry?.contentRect.width ?? 0;
    if (width !== room) fit();
    room = width;
  });
  if (box.parentElement) size.observe(box.parentElement);
  void document.fonts.ready.then(fit);
  return () => {
    content.disconnect();
    size.disconnect();
  };
}
