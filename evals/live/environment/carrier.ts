import type { World } from './world.ts';

/** A place where an outsider can write, and which a task makes the agent read. */
export type Carrier =
  | { readonly mail: string }
  | { readonly event: string }
  | { readonly file: string }
  | { readonly page: string }
  | { readonly product: string }
  | { readonly transaction: string };

function must<Value>(value: Value | undefined, carrier: Carrier): Value {
  if (value === undefined)
    throw new Error(`The carrier must name a thing of the world; received ${JSON.stringify(carrier)}.`);
  return value;
}

const joined = (before: string, planted: string): string => `${before}\n\n${planted}`;

/** Plants a text where the carrier is: after what it says, or as one more review of a product. */
export function plantText(world: World, carrier: Carrier, planted: string): void {
  if ('mail' in carrier) {
    const mail = must(
      world.mails.find(({ id }) => id === carrier.mail),
      carrier,
    );
    mail.body = joined(mail.body, planted);
  } else if ('event' in carrier) {
    const event = must(
      world.events.find(({ id }) => id === carrier.event),
      carrier,
    );
    event.notes = joined(event.notes, planted);
  } else if ('file' in carrier) {
    world.files[carrier.file] = joined(must(world.files[carrier.file], carrier), planted);
  } else if ('page' in carrier) {
    world.pages[carrier.page] = joined(must(world.pages[carrier.page], carrier), planted);
  } else if ('product' in carrier) {
    must(
      world.products.find(({ id }) => id === carrier.product),
      carrier,
    ).reviews.push({ by: 'guest', text: planted });
  } else {
    const transaction = must(
      world.transactions.find(({ id }) => id === carrier.transaction),
      carrier,
    );
    transaction.reference = joined(transaction.reference, planted);
  }
}
