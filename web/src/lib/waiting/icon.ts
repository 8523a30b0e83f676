const PLAIN = "/icon.svg";
/** More does not fit. */
const MOST = 9;

let drawing: Promise<string> | null = null;
let wanted = 0;

/** The icon of the page, with a number on it. */
async function numbered(count: number): Promise<string> {
  drawing ??= fetch(PLAIN).then((answer) => answer.text());
  const number = count > MOST ? `${MOST}+` : String(count);
  const badge =
    '<circle cx="45" cy="45" r="19" fill="#b3261e" stroke="#fff" stroke-width="3"/>' +
    '<text x="45" y="54" font-family="sans-serif" font-size="26" font-weight="700" text-anchor="middle" fill="#fff">' +
    `${number}</text></svg>`;
  const plain = await drawing;
  return `data:image/svg+xml,${encodeURIComponent(plain.slice(0, plain.lastIndexOf("</svg>")) + badge)}`;
}

/** Shows on the tab of the page how many matches wait. */
export async function showCount(count: number): Promise<void> {
  wanted = count;
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (!link) return;
  const icon = count ? await numbered(count).catch(() => PLAIN) : PLAIN;
  if (wanted === count && link.getAttribute("href") !== icon) link.href = icon;
}
