import { prefs } from "../state/prefs.svelte.ts";
import type { Table } from "../state/table/table.svelte.ts";

export interface Views {
  help(): void;
  text(): void;
  command(): void;
  log(): void;
  orders(): void;
  replay(): void;
  hint(): void;
  nextMatch(): void;
  closeAll(): boolean;
}

const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && /^(checkbox|range|radio|button)$/.test(target.type));

interface Step {
  right: number;
  down: number;
}
const ARROWS: Readonly<Record<string, Step>> = {
  ArrowLeft: { right: -1, down: 0 },
  ArrowRight: { right: 1, down: 0 },
  ArrowUp: { right: 0, down: -1 },
  ArrowDown: { right: 0, down: 1 },
};

/** The whole game by keyboard. Plain keys only, so that browser and screen-reader chords stay free. */
export function keyHandler(table: Table, views: Views): (e: KeyboardEvent) => void {
  const onMap = (e: KeyboardEvent): boolean =>
    e.target === document.body || (e.target instanceof Element && e.target.id === "map");
  return (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || typing(e.target) || table.match.curtain) return;
    // keys go past a dialogue when what had the focus in it is switched off
    if (document.querySelector("dialog:modal")) return;
    const key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
    const button = e.target instanceof HTMLElement && /^(BUTTON|A|SUMMARY|INPUT)$/.test(e.target.tagName);
    if ((key === "Enter" || key === " ") && button) return;
    // the browser closes what is open above the page
    if (key === "Escape" && document.querySelector(":popover-open")) return;
    const arrow = ARROWS[key];
    if (arrow && !onMap(e)) return;
    if (key === "Tab") {
      if (!onMap(e) || e.shiftKey || e.target === document.body) return;
      table.cursorKeys.next(1);
      e.preventDefault();
      return;
    }
    if (act(table, views, key, e.shiftKey, arrow)) e.preventDefault();
  };
}

function act(table: Table, views: Views, key: string, shift: boolean, arrow: Step | undefined): boolean {
  if (arrow) {
    if (shift) table.viewport.pan(-arrow.right * 120, -arrow.down * 120);
    else table.cursorKeys.move(arrow.right, arrow.down);
    return true;
  }
  if (shift && key === "c") {
    table.cursorKeys.nextCombat();
    return true;
  }
  if (shift && key === "p") {
    prefs.set({ folded: !prefs.value.folded });
    return true;
  }
  if (shift && key === "d") {
    table.pen.toggle();
    return true;
  }
  if (table.game.interactions?.key(table, key, shift, views)) return true;
  const centre = { x: table.viewport.width / 2, y: table.viewport.height / 2 };
  switch (key) {
    case "Enter":
      if (table.cursor) void table.clickHex(table.cursor);
      return true;
    case "Escape":
      if (!views.closeAll()) {
        if (document.activeElement?.id === "map" && !table.chooser && !table.active.length)
          (document.activeElement as HTMLElement).blur();
        void table.back();
      }
      return true;
    case " ":
      void table.mainButton.press();
      return true;
    case "n":
      table.cursorKeys.next(1);
      return true;
    case "p":
      table.cursorKeys.next(-1);
      return true;
    case "u":
      void table.undo();
      return true;
    case "h":
      prefs.countersHidden = !prefs.countersHidden;
      return true;
    case "+":
    case "=":
      table.viewport.zoomAt(centre, 1.25);
      return true;
    case "-":
    case "_":
      table.viewport.zoomAt(centre, 0.8);
      return true;
    case "0":
      table.viewport.fit();
      return true;
    case "j":
      return table.showGoal();
    case "g":
      if (table.cursor) table.goTo(table.cursor);
      return true;
    case "/":
      views.command();
      return true;
    case "t":
      views.text();
      return true;
    case "l":
      views.log();
      return true;
    case "o":
      views.orders();
      return true;
    case "y":
      views.replay();
      return true;
    case ".":
      views.hint();
      return true;
    case "m":
      views.nextMatch();
      return true;
    case "?":
      views.help();
      return true;
  }
  const layer = table.game.layers.find((l) => l.key?.toLowerCase() === key);
  if (!layer) return false;
  prefs.toggle(layer.id);
  table.say(`${layer.title} ${prefs.on(layer.id) ? "on" : "off"}`);
  return true;
}
