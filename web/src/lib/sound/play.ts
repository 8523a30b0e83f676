import { prefs } from "../state/prefs.svelte.ts";
import { type Cue, heard } from "./cues.ts";

/** Pitch in hertz, when it begins and how long it sounds in seconds, and how loud against the others. */
type Tone = readonly [number, number, number, number];
const TONES: Readonly<Record<Exclude<Cue, "dice">, readonly Tone[]>> = {
  orders: [[294, 0, 0.09, 0.5]],
  turn: [
    [440, 0, 0.28, 0.6],
    [587, 0.17, 0.42, 0.6],
  ],
};
/** When a die strikes the table, in seconds, and how loud. */
const KNOCKS: readonly (readonly [number, number])[] = [
  [0, 0.9],
  [0.09, 0.7],
  [0.16, 0.5],
  [0.21, 0.3],
];
const KNOCK_SECONDS = 0.035;
/** Of the loudest that there is, at full volume: these are hints and no fanfares. */
const LOUDEST = 0.3;

let context: AudioContext | null = null;

/** Lets a cue be heard, if that is wished. */
export function play(cue: Cue): void {
  const { volume, turnUnseen } = prefs.value;
  if (!heard(cue, { volume, turnUnseen }, document.hidden)) return;
  try {
    context ??= new AudioContext();
  } catch {
    return; // a browser without sound
  }
  void context.resume();
  const out = new GainNode(context, { gain: (LOUDEST * volume) / 100 });
  out.connect(context.destination);
  if (cue === "dice") for (const [at, loud] of KNOCKS) knock(context, out, at, loud);
  else for (const each of TONES[cue]) tone(context, out, each);
}

function swell(to: AudioContext, out: AudioNode, at: number, seconds: number, loud: number): GainNode {
  const gain = new GainNode(to, { gain: 0 });
  const start = to.currentTime + at;
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loud, start + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.001, start + seconds);
  gain.connect(out);
  return gain;
}

function tone(to: AudioContext, out: AudioNode, [frequency, at, seconds, loud]: Tone): void {
  const source = new OscillatorNode(to, { type: "triangle", frequency });
  source.connect(swell(to, out, at, seconds, loud));
  source.start(to.currentTime + at);
  source.stop(to.currentTime + at + seconds);
}

/** A short noise, dull as of wood. */
function knock(to: AudioContext, out: AudioNode, at: number, loud: number): void {
  const buffer = to.createBuffer(1, Math.ceil(to.sampleRate * KNOCK_SECONDS), to.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
  const source = new AudioBufferSourceNode(to, { buffer });
  source
    .connect(new BiquadFilterNode(to, { type: "bandpass", frequency: 1400, Q: 1.2 }))
    .connect(swell(to, out, at, KNOCK_SECONDS, loud));
  source.start(to.currentTime + at);
}
