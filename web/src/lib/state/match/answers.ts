/** What the engine has answered, remembered until the position changes. */
export class Answers {
  private readonly found = new Map<string, Promise<unknown>>();

  constructor(private readonly query: (kind: string, args: Args) => Promise<unknown>) {}

  ask(kind: string, args: Args): Promise<unknown> {
    const name = `${kind}|${JSON.stringify(args)}`;
    let answer = this.found.get(name);
    if (!answer) {
      answer = this.query(kind, args);
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
