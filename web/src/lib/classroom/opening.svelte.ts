import { classes, requestId, type Task, type Teacher } from "./calls.ts";
import { keepTaught, plainCode } from "./keys.ts";

/** Opens a class and sets up its boards. After a failure the class is kept, and the next attempt goes on with it. */
export class Opening {
  /** Boards that are set up. */
  made = $state(0);

  /** Without `teacher` a class is opened first. */
  constructor(private teacher: Teacher | null) {}

  async run(title: string, task: Task, boards: number): Promise<Teacher> {
    const who = (this.teacher ??= await this.begin(title));
    for (; this.made < boards; this.made += 1) await classes.addMatch(who, task, requestId());
    this.made = 0;
    return who;
  }

  private async begin(title: string): Promise<Teacher> {
    const who = await classes.open(title);
    keepTaught(plainCode(who.code), { key: who.key, title });
    return who;
  }
}
