import type {
  ClassBounds,
  ClassInfo,
  ClassJoined,
  ClassMade,
  ClassMatchMade,
  PupilDesk,
  PupilWord,
} from "../api/schema";
import { newShare, noteShare } from "../dice/notes.ts";
import { call, requestId, to } from "../net/api.ts";

/** The teacher of a class, by its code and the teacher's key. */
export interface Teacher {
  code: string;
  key: string;
}

/** What is played at a board: a scenario, or a lesson for one pupil. */
export interface Task {
  game: string;
  scenario?: string;
  lesson?: string;
  players: 2 | 4;
  hints: boolean;
}

const post = <T>(path: string, body: object): Promise<T> => call<T>("POST", path, body);

export const classes = {
  bounds: () => call<ClassBounds>("GET", "/classes"),
  open: (title: string) => post<ClassMade>("/classes", { title }),
  /** The same id, sent again after a lost answer, adds no second board. */
  addMatch: (who: Teacher, task: Task, id: string) =>
    call<ClassMatchMade>("POST", "/classes/matches", { ...who, ...task }, { "idempotency-key": id }),
  boards: (who: Teacher) => post<ClassInfo>("/classes/boards", who),
  door: (who: Teacher, closed: boolean) => post<unknown>("/classes/door", { ...who, closed }),
  pause: (who: Teacher, paused: boolean, matches?: string[]) =>
    post<unknown>("/classes/pause", { ...who, paused, ...(matches ? { matches } : {}) }),
  back: (who: Teacher, match: string) => post<unknown>("/classes/back", { ...who, match }),
  computer: (who: Teacher, match: string) => post<unknown>("/classes/computer", { ...who, match }),
  newWord: (who: Teacher, match: string, pupil: number) =>
    post<PupilWord>("/classes/pupils/word", { ...who, match, pupil }),
  removePupil: (who: Teacher, match: string, pupil: number) =>
    post<unknown>("/classes/pupils/remove", { ...who, match, pupil }),
  handOut: (who: Teacher, text: string, turn: number) =>
    post<{ number: number }>("/classes/cards", { ...who, text, turn }),
  remove: (who: Teacher) => post<unknown>("/classes/delete", who),

  join: async (code: string, name: string, word: string, request: string): Promise<ClassJoined> => {
    const share = newShare();
    const made = await post<ClassJoined>("/classes/join", { code, name, word, request_id: request, share });
    noteShare(made.id, share);
    return made;
  },
  desk: (match: string, seat: string, key: string) => post<PupilDesk>(to`/matches/${match}/class`, { seat, key }),
  answer: (match: string, seat: string, key: string, card: number, text: string) =>
    post<unknown>(to`/matches/${match}/class/answer`, { seat, key, card, text }),
};

export { requestId };
