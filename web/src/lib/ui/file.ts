/** Has the browser keep a text as a file. */
export function saveAs(name: string, text: string, type = "application/x-ndjson"): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
