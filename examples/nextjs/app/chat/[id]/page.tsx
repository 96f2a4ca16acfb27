import { loadChat } from '../../../lib/chats.ts';
import { currentUser } from '../../../lib/session.ts';
import { Chat } from './chat.tsx';

export default async function Page({ params }: PageProps<'/chat/[id]'>) {
  const { id } = await params;
  return <Chat id={id} stored={await loadChat(id, currentUser())} />;
}
