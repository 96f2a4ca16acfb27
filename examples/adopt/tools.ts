// An office assistant as a team might have it before they add the boundary: mail, calendar, web and payments.
import { type Tool, tool } from 'ai';
import { z } from 'zod';

export interface World {
  readonly mails: readonly { readonly from: string; readonly subject: string; readonly body: string }[];
  readonly events: readonly { readonly title: string; readonly start: string }[];
  readonly pages: Readonly<Record<string, string>>;
}

interface Ran {
  readonly tool: string;
  readonly given: unknown;
}

/** The tools of one user, and a list of what they did. */
export function officeTools({ mails, events, pages }: World) {
  const ran: Ran[] = [];
  const record = (name: string, given: unknown, result: string): string => {
    ran.push({ tool: name, given });
    return result;
  };
  const tools = {
    list_emails: tool({ inputSchema: z.object({}), execute: async () => mails }),
    send_email: tool({
      inputSchema: z.object({ to: z.string(), subject: z.string(), body: z.string() }),
      execute: async (given) => record('send_email', given, 'sent'),
    }),
    list_events: tool({ inputSchema: z.object({ day: z.string().optional() }), execute: async () => events }),
    create_event: tool({
      inputSchema: z.object({ title: z.string(), start: z.string(), attendees: z.array(z.string()).optional() }),
      execute: async (given) => record('create_event', given, 'created'),
    }),
    fetch_url: tool({
      inputSchema: z.object({ url: z.string() }),
      execute: async (given) => record('fetch_url', given, pages[given.url] ?? '404'),
    }),
    pay: tool({
      inputSchema: z.object({ iban: z.string(), amount: z.number(), reference: z.string() }),
      execute: async (given) => record('pay', given, 'paid'),
    }),
  } satisfies Record<string, Tool>;
  return { tools, ran };
}
