/** The answer to a question that is asked again whenever what it depends on changes; null until it is there. */
export class Answer<T> {
  value = $state.raw<T | null>(null);

  /** `ask` gives nothing where there is nothing to ask. To be made while a component is set up. */
  constructor(ask: () => Promise<T> | null | undefined | false | "") {
    // a request is sent whenever what it is made of has changed
    $effect(() => {
      let wanted = true;
      const put = (value: T | null): void => {
        if (wanted) this.value = value;
      };
      const asked = ask();
      if (asked) asked.then(put, () => put(null));
      else put(null);
      return () => {
        wanted = false;
      };
    });
  }
}
