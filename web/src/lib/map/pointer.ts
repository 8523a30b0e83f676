import type { Table } from "../state/table/table.svelte.ts";
import type { Point } from "./geometry.ts";

type Dragged = { unit: string; x: number; y: number } | null;

/** Mouse, pen and fingers on the map: pan, pinch, wheel, click, and dragging a counter to a hex. */
export class Pointer {
  private readonly touches = new Map<number, Point>();
  private down: { at: Point; unit: string | null; hex: string | null; touch: boolean } | null = null;
  private last: Point = { x: 0, y: 0 };
  private panning = false;
  private dragged: string | null = null;
  /** An arrow is being drawn on the map. */
  private drawing = false;
  /** The way drawn so far, hex by hex, from where the counter stands. */
  private way: string[] | null = null;
  private pinch = 0;
  private readonly off: (() => void)[] = [];

  constructor(
    private readonly root: HTMLElement,
    private readonly table: Table,
    private readonly onDrag: (d: Dragged) => void,
  ) {
    const on = <K extends keyof HTMLElementEventMap>(
      type: K,
      f: (e: HTMLElementEventMap[K]) => void,
      o?: AddEventListenerOptions,
    ): void => {
      root.addEventListener(type, f, o);
      this.off.push(() => root.removeEventListener(type, f, o));
    };
    on("pointerdown", (e) => this.press(e));
    on("pointermove", (e) => this.move(e));
    on("pointerup", (e) => this.release(e));
    on("pointercancel", (e) => this.cancel(e));
    on("pointerleave", (e) => {
      // a finger that is lifted has left, too; what it opened stays open
      if (!this.down && e.pointerType !== "touch") this.leave();
    });
    on("wheel", (e) => this.wheel(e), { passive: false });
    on("contextmenu", (e) => e.preventDefault());
    // else the browser follows a tap with a click, on whatever menu has opened under the finger meanwhile
    on("touchend", (e) => e.cancelable && e.preventDefault(), { passive: false });
  }

  stop(): void {
    this.off.forEach((f) => f());
  }

  private local(e: { clientX: number; clientY: number }): Point {
    const box = this.root.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  }

  private hit(e: PointerEvent): { unit: string | null; hex: string | null } {
    const hex = this.table.map.at(this.table.viewport.toWorld(this.local(e)))?.id ?? null;
    const slot = this.slot(e, hex);
    return slot ? { unit: slot.dataset["unit"] ?? null, hex: slot.dataset["hex"] ?? null } : { unit: null, hex };
  }

  /** The counter pointed at. One that is still gliding to another hex is not there any more. */
  private slot(e: PointerEvent, hex: string | null): HTMLElement | null {
    const slotOf = (at: Element | EventTarget | null): HTMLElement | null =>
      at instanceof Element ? at.closest<HTMLElement>("[data-unit]") : null;
    const aimed = !this.dragged && this.aimed(hex);
    const stands = (s: HTMLElement): boolean => s.dataset["hex"] === hex || (!aimed && !s.getAnimations().length);
    const top = slotOf(e.target);
    if (!top || stands(top)) return top;
    return (
      document
        .elementsFromPoint(e.clientX, e.clientY)
        .map(slotOf)
        .find((s) => s && stands(s)) ?? null
    );
  }

  /** Whether the piece in hand would be sent there. */
  private aimed(hex: string | null): boolean {
    return hex !== null && !!this.table.game.interactions?.isDestination?.(this.table, hex);
  }

  private press(e: PointerEvent): void {
    if (e.button > 1) return;
    const at = this.local(e);
    this.touches.set(e.pointerId, at);
    this.root.setPointerCapture(e.pointerId);
    if (this.touches.size === 2) {
      this.pinch = this.spread();
      this.down = null;
      this.endDrag();
      return;
    }
    const { unit, hex } = e.button === 0 ? this.hit(e) : { unit: null, hex: null };
    this.down = { at, unit, hex, touch: e.pointerType === "touch" };
    this.last = at;
    this.panning = false;
  }

  private spread(): number {
    const [a, b] = [...this.touches.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  }

  private move(e: PointerEvent): void {
    const at = this.local(e);
    if (this.touches.has(e.pointerId)) this.touches.set(e.pointerId, at);
    if (this.touches.size === 2) {
      const [a, b] = [...this.touches.values()] as [Point, Point];
      const now = this.spread();
      if (this.pinch > 0) this.table.viewport.zoomAt({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, now / this.pinch);
      this.pinch = now;
      return;
    }
    if (!this.down) {
      this.hoverAt(e);
      return;
    }
    const far = Math.hypot(at.x - this.down.at.x, at.y - this.down.at.y) > (this.down.touch ? 9 : 5);
    if (far && !this.panning && !this.dragged && !this.drawing) this.begin(e);
    if (this.drawing) {
      this.table.pen.towards = this.table.map.at(this.table.viewport.toWorld(at))?.id ?? null;
    } else if (this.dragged) {
      const world = this.table.viewport.toWorld(at);
      this.onDrag({ unit: this.dragged, ...world });
      const hex = this.table.map.at(world)?.id ?? null;
      this.table.hints.hover(hex);
      if (hex && this.way) this.draw(hex);
    } else if (this.panning) this.table.viewport.pan(at.x - this.last.x, at.y - this.last.y);
    this.last = at;
  }

  /** A press that travels: the counter follows if it is one that can act, else the map pans. */
  private begin(e: PointerEvent): void {
    const { unit = null, hex = null } = this.down ?? {};
    const { carrying, pen } = this.table;
    if (pen.on && pen.tool === "arrow" && hex && !this.down?.touch) {
      this.drawing = true;
      pen.from = hex;
    } else if (unit && !pen.on && carrying.possible(unit)) {
      this.dragged = unit;
      this.table.dragging = unit;
      this.way = e.altKey && hex ? [hex] : null;
      carrying.takeUp(unit, e.shiftKey);
    } else {
      this.panning = true;
      this.root.style.cursor = "grabbing";
      this.leave();
    }
  }

  /** Goes on with the way drawn; back over the last hex takes it off again. */
  private draw(hex: string): void {
    const { map, hints } = this.table;
    const way = this.way ?? [];
    const last = way.at(-1) ?? "";
    if (hex !== last && hex === way.at(-2)) way.pop();
    else if (hex !== last && map.direction(last, hex) >= 0) way.push(hex);
    hints.drawn = [...way];
  }

  private hoverAt(e: PointerEvent): void {
    if (e.pointerType === "touch") return;
    const { unit, hex } = this.hit(e);
    this.table.hints.hover(hex, unit);
    const stack = hex && unit ? (this.table.stacks.get(hex)?.length ?? 0) : 0;
    if (stack > 1) this.table.fan = hex;
    else if (!unit || hex !== this.table.fan) this.table.fan = null;
    this.root.style.cursor =
      hex && (this.table.match.index.byHex.has(hex) || (unit && this.table.match.index.byUnit.has(unit)))
        ? "pointer"
        : "grab";
  }

  private leave(): void {
    this.table.hints.hover(null);
    this.table.hints.clear();
    this.table.fan = null;
  }

  private release(e: PointerEvent): void {
    this.touches.delete(e.pointerId);
    const down = this.down;
    this.down = null;
    this.root.style.cursor = "grab";
    if (this.touches.size) return;
    if (this.drawing) {
      this.drawing = false;
      this.table.pen.lead(this.table.map.at(this.table.viewport.toWorld(this.local(e)))?.id ?? null);
      return;
    }
    if (this.dragged) {
      const { dragged: unit, way } = this;
      const hex = this.table.map.at(this.table.viewport.toWorld(this.local(e)))?.id ?? null;
      this.endDrag();
      if (hex && hex !== down?.hex) void this.table.carrying.drop(hex, unit, way?.slice(1));
      return;
    }
    if (!down || this.panning) {
      this.panning = false;
      return;
    }
    const many = down.hex ? (this.table.stacks.get(down.hex)?.length ?? 0) > 1 : false;
    const fanned = this.table.fan;
    if (down.touch && down.hex !== fanned) this.table.fan = null;
    if (down.unit && down.hex && !(down.touch && many && fanned !== down.hex))
      void this.table.clickUnit(down.unit, down.hex, e.shiftKey);
    else if (down.hex) {
      if (down.touch) this.table.fan = many && !this.aimed(down.hex) ? down.hex : null;
      void this.table.clickHex(down.hex, e.shiftKey);
    }
  }

  private endDrag(): void {
    this.dragged = this.way = null;
    this.drawing = false;
    this.table.hints.drawn = [];
    this.table.dragging = null;
    this.onDrag(null);
  }

  private cancel(e: PointerEvent): void {
    this.touches.delete(e.pointerId);
    this.down = null;
    this.panning = false;
    this.endDrag();
  }

  private wheel(e: WheelEvent): void {
    e.preventDefault();
    const unit = e.deltaMode === 1 ? 30 : 1;
    const factor = Math.exp(-e.deltaY * unit * (e.ctrlKey ? 0.01 : 0.0016));
    this.table.viewport.zoomAt(this.local(e), factor);
  }
}
