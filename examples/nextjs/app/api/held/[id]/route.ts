import { boundary } from '../../../../lib/boundary.ts';
import { recordAnswer } from '../../../../lib/chats.ts';
import { ready } from '../../../../lib/database.ts';
import { currentUser } from '../../../../lib/session.ts';

// #region settle
/** A person answers a call that waits for them. */
export async function POST(request: Request, { params }: RouteContext<'/api/held/[id]'>): Promise<Response> {
  await ready();
  const { id } = await params;
  const by = currentUser();
  const call = (await boundary.pending({ owner: by })).find((each) => each.id === id);
  if (call === undefined) return Response.json({ error: 'This call no longer waits.' }, { status: 404 });
  try {
    // `by` comes last, so that the request cannot name another person. Core refuses an answer that the decision does not allow.
    const answer = { ...(await request.json()), by };
    const isSettled = await boundary.settle(id, answer);
    if (isSettled) await recordAnswer(call, by, answer.outcome === 'approve');
    return Response.json({ isSettled });
  } catch (error) {
    return Response.json({ error: error instanceof Error ? error.message : 'Something failed.' }, { status: 400 });
  }
}
// #endregion settle
