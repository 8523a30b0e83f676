import type { PortfolioWeatherEffect } from "../../lib/api/schema";

/** Whom something concerns: of the Axis and the Soviet side in this order, everybody, one or nobody. */
const whom = ([axis, soviet]: readonly boolean[]): string | null =>
  axis && soviet ? "" : axis ? "Axis " : soviet ? "Soviet " : null;

/** What a kind of weather does to movement and overruns, as the chart says it. */
export function weatherWords(effect: PortfolioWeatherEffect | undefined): string {
  if (!effect) return "";
  const slow = whom(effect.movement.map((factor) => factor !== "full"));
  const barred = whom(effect.overrun.map((may) => !may));
  const words = [slow === null ? "" : `${slow}movement halved`, barred === null ? "" : `no ${barred}overruns`].filter(
    Boolean,
  );
  const line = words.join(", ");
  return line && `${line.charAt(0).toUpperCase()}${line.slice(1)}.`;
}
