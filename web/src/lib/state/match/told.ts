const KEY = "rasputitsa.told";
const MOST = 500;

/** Whether something about a match has not been told in this browser yet; from now on it has. */
export function tellOnce(match: string, what: string): boolean {
  const news = `${match} ${what}`;
  try {
    const told = JSON.parse(localStorage.getItem(KEY) ?? "[]") as string[];
    if (told.includes(news)) return false;
    localStorage.setItem(KEY, JSON.stringify([...told, news].slice(-MOST)));
  } catch {
    /* without storage it is told again with every page */
  }
  return true;
}
