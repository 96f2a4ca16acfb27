const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  // Another page can neither show this one in a frame nor send its form for the person.
  'content-security-policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'x-frame-options': 'DENY',
};
const REFERENCES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as a page shows it. */
export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => REFERENCES[character] ?? '');
}

/** A page without scripts. `body` is HTML. */
export function page(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Response {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sallyport</title><body>${body}</body></html>\n`;
  return new Response(html, { status, headers: { ...HEADERS, ...headers } });
}
