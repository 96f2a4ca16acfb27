import { boundary } from '../../../../../lib/boundary.ts';
import { ready } from '../../../../../lib/database.ts';
import { currentUser } from '../../../../../lib/session.ts';

/** The calls of a chat that wait for its owner. */
export async function GET(_: Request, { params }: RouteContext<'/api/chats/[id]/held'>): Promise<Response> {
  await ready();
  return Response.json(await boundary.pending({ conversation: (await params).id, owner: currentUser() }));
}
