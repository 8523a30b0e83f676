import type { ClassBoard, ClassInfo } from "../api/schema";
import { api } from "../net/api.ts";
import type { Attempt } from "../ui/attempt.svelte.ts";
import type { GameInfo, SeatInfo, StaticGame, View } from "../net/types.ts";
import { classes, type Teacher } from "./calls.ts";

const LOOK_MS = 3000;

/** A class as its teacher's page sees it: asked for every few seconds, each board when something has happened there. */
export class ClassRoom {
  info = $state.raw<ClassInfo | null>(null);
  games = $state.raw<GameInfo[]>([]);
  /** What everybody sees of each match. */
  views = $state.raw<Record<string, View>>({});
  trouble = $state("");
  private readonly seen = new Map<string, number>();
  private readonly fixed = new Map<string, Promise<StaticGame>>();
  private looking = false;
  private line: Promise<unknown> = Promise.resolve();

  constructor(readonly teacher: Teacher) {}

  /** Looks again and again, until the function that it gives is called. */
  start(): () => void {
    void this.look();
    const timer = setInterval(() => void (document.hidden || this.look()), LOOK_MS);
    return () => clearInterval(timer);
  }

  async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      if (!this.games.length) this.games = await api.games();
      this.info = await classes.boards(this.teacher);
      this.trouble = "";
      for (const board of this.info.boards) await this.see(board);
    } catch (e) {
      this.trouble = e instanceof Error ? e.message : String(e);
    }
    this.looking = false;
  }

  private async see(board: ClassBoard): Promise<void> {
    if (this.seen.get(board.id) === board.changes) return;
    const view = await api.view(board.id, "", "");
    this.views = { ...this.views, [board.id]: view };
    this.seen.set(board.id, board.changes);
  }

  /** Map and pieces of what is played at a board, asked for once. */
  fixedOf(view: View): Promise<StaticGame> {
    const name = `${view.game} ${view.scenario} ${view.data}`;
    const known = this.fixed.get(name) ?? api.fixed(view.game, view.scenario, view.data);
    this.fixed.set(name, known);
    return known;
  }

  /** Does what takes the server longer one after the other. */
  inLine<T>(work: () => Promise<T>): Promise<T> {
    const done = this.line.then(work);
    this.line = done.catch(() => undefined);
    return done;
  }

  /** Does what the teacher has pressed once what was pressed before is done: nothing is lost, however quick they are. */
  act(attempt: Attempt, work: () => Promise<unknown>): Promise<void> {
    return this.inLine(() =>
      attempt.run(async () => {
        await work();
        await this.look();
      }),
    );
  }

  game(id: string): GameInfo | undefined {
    return this.games.find((game) => game.id === id);
  }

  seats(board: ClassBoard): readonly SeatInfo[] {
    return this.game(board.game)?.seats[String(Object.keys(board.controllers).length)] ?? [];
  }

  /** How a sentence names a seat. */
  seatNamed(board: ClassBoard, seat: string): string {
    return this.seats(board).find((s) => s.id === seat)?.named ?? seat;
  }

  seatTitle(board: ClassBoard, seat: string): string {
    return this.seats(board).find((s) => s.id === seat)?.title ?? seat;
  }
}

/** How long ago, in words. */
export function agoOf(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "less than a minute";
  if (minutes < 120) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} hours`;
}
