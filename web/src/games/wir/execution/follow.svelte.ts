import { onMount, untrack } from "svelte";
import { placeOfStep } from "../../../lib/lessons/place.ts";
import type { Point } from "../../../lib/map/geometry.ts";
import { firstInPlay } from "../../../lib/map/shapes.ts";
import { plainText } from "../../../lib/state/marks.ts";
import { prefs } from "../../../lib/state/prefs.svelte.ts";
import type { Table } from "../../../lib/state/table/table.svelte.ts";
import { chartsOf } from "../model/charts.ts";
import { signs } from "../model/signs.svelte.ts";
import { wirView } from "../model/types.ts";
import { wirState } from "../table/tableState.svelte.ts";
import { replayOf } from "./replay.svelte.ts";

/** News that concern one's own orders. */
const AT_ONCE: ReadonlySet<string> = new Set(["built", "dismantled", "proposal"]);

/** Keeps in step with the match what is held outside Svelte's own state. To be called while a component is set up. */
export function followTheWeek(table: Table): void {
  const { match } = table;
  const wir = wirState(table);
  const replay = replayOf(table);
  replay.opened = table.match.view?.ply ?? 0;

  // What the engine says of the piece in hand is asked again with each position: a request, which no value can be
  // derived from, after changes that come from four places.
  $effect(() => {
    void [match.view, match.queued, match.curtain, match.staged];
    untrack(() => {
      table.orderLines.note();
      void wir.load();
    });
  });
  signs.follow(() => ({
    scan: wirView(match.shown)?.scan ?? {},
    rings: wir.kind === "movement",
    statuses: chartsOf(table.map).titles.statuses,
  }));
  // what one player looked at is not shown to the other at the same screen
  const putAway = (): void => {
    replay.forget();
    wir.ledger = null;
  };
  putAway();
  onMount(() => match.hotSeat.whenSeated(putAway));
  // The hex that is asked about is the one that is read about, if it is in play. An effect, since the question changes
  // by whatever comes from the server.
  $effect(() => {
    const place = firstInPlay(wir.places, table.map.byId);
    if (place) untrack(() => table.select(place));
  });
  let before: Point | null = null;
  let asked = "";
  // Depots lead the eye to their railheads; when the last one has been placed it goes back to where it was, if groups to
  // be moved are there: a plan may have led it far away. The view of the map is moved, which is no value, and the kind of
  // question changes by messages of the server.
  $effect(() => {
    const kind = wir.kind;
    untrack(() => {
      if (!kind || kind === asked) return;
      const { viewport } = table;
      if (kind === "depot") before = viewport.toWorld({ x: viewport.width / 2, y: viewport.height / 2 });
      else if (asked === "depot" && before)
        table.camera.backTo(
          before,
          table.cursorKeys.left.map((g) => table.whereIs(g)),
        );
      asked = kind;
    });
  });
  // The piece in hand comes into view, or where a lesson sends it: it is taken up on the map, in lists, by keys and by
  // the server's next question.
  $effect(() => {
    const hex = wir.kind === "depot" ? wir.view?.depot?.hex : wir.inHand?.hex;
    if (hex && wir.group) untrack(() => table.camera.look(placeOfStep(table) ?? hex));
  });
  let heard = table.match.view?.ply ?? 0;
  // What chance or the other side made of one's own order is said at once, whichever way its view has come.
  $effect(() => {
    const { view } = match;
    if (!view || view.at !== undefined) return;
    untrack(() => {
      const news = view.last_events
        .filter((e) => e.ply >= heard)
        .flatMap((e) => e.events.filter((v) => AT_ONCE.has(v.kind) && v.text));
      heard = view.ply;
      if (news.length && !match.curtain && !view.outcome && view.controllers[match.seat]?.kind !== "bot")
        match.say("info", news.map((v) => `${plainText(v.text, table.unitName)}.`).join(" "));
    });
  });
  // The layer may be switched on from menu, keys and lessons, which know nothing of supply; before the depots have
  // moved it has nothing to show.
  $effect(() => {
    if (prefs.on("supply"))
      untrack(
        () =>
          wir.view?.scan?.[wir.side] === "before" &&
          match.say(
            "info",
            "Your depots have not moved yet this week: once they have, the supply scan marks the groups left without supply.",
            chartsOf(table.map).paragraphs.supply_scan,
          ),
      );
  });
  // A week that was carried out starts its replay, once both its view and its log have come, in either order.
  $effect(() => {
    void [match.view, match.queued, match.curtain, match.log.entries];
    untrack(() => replay.watch());
  });
}
