import { redirect } from 'next/navigation';
import { connection } from 'next/server';

/** A new chat. */
export default async function Page() {
  await connection();
  redirect(`/chat/${crypto.randomUUID()}`);
}
