import type { Context } from 'hono';
import type { AdmittedEnvironment } from '../auth/admission.ts';
import { protocolHeaders } from '../headers.ts';
import { type McpRequests, upstreamRequest } from './request.ts';

/** Answers `DELETE /mcp/{server}`: ends the server's session. */
export async function handleEnd(
  context: Context<AdmittedEnvironment>,
  { requests }: { readonly requests: McpRequests },
): Promise<Response> {
  const entered = requests.enter(context.get('caller'));
  if ('refused' in entered) return entered.refused;
  const request = await requests.open(context, entered, { isCounted: false });
  if ('refused' in request) return request.refused;
  try {
    const session = request.session?.upstream;
    if (session === undefined) return new Response(null, { status: 204 });
    const { headers, signal } = context.req.raw;
    const status = await request.server.end({
      ...upstreamRequest(request, protocolHeaders('{}', headers), signal),
      session,
    });
    return new Response(null, { status: status === 405 ? 405 : 204 });
  } finally {
    request.release();
  }
}
