/** What the engine has answered, remembered until the position changes. */
export class Answers {
  private readonly found = new Map<string, Promise<unknown>>();

  constructor(private readonly query: <T>(kind: string, args: Args) => Promise<T>) {}

  /** The same question has the same type of answer, so that what was kept is as it was asked for. */
  ask<T>(kind: string, args: Args): Promise<T> {
    const name = `${kind}|${JSON.stringify(args)}`;
    let answer = this.found.get(name) as Promise<T> | undefined;
    if (!answer) {
      answer = this.query<T>(kind, args);
      answer.catch(() => this.found.delete(name));
      this.found.set(name, answer);
    }
    return answer;
  }

  clear(): void {
    this.found.clear();
  }
}

export type Args = Record<string, string | number>;
