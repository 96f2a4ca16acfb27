const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** A request that is refused: what is wrong, and what to do about it. */
export class UiProblem extends Error {
  override readonly name = 'UiProblem';
  readonly status: number;
  readonly next: string;

  constructor(status: number, message: string, next: string) {
    super(message);
    this.status = status;
    this.next = next;
  }
}

export function jsonResponse(body: unknown, status = 200): Response {
  if (body === undefined) return new Response(null, { status: 204, headers: HEADERS });
  return Response.json(body, { status, headers: HEADERS });
}

export function problemResponse({ status, message, next }: UiProblem): Response {
  return jsonResponse({ error: message, next }, status);
}

/** A text that is sent in parts. */
export function streamResponse(body: ReadableStream<Uint8Array>, type: string): Response {
  return new Response(body, { headers: { ...HEADERS, 'content-type': type } });
}

/** A line of text as a page. It repeats nothing of the request. */
export function textPage(status: number, text: string): Response {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Sallyport</title><p>${text}</p></html>`;
  return new Response(html, { status, headers: { ...HEADERS, 'content-type': 'text/html; charset=utf-8' } });
}
