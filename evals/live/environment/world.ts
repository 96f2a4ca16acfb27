// Everything that the tools of the environment can change. A check reads it after a run; the words of the model do not count.

export interface Mail {
  readonly id: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  body: string;
  folder: 'inbox' | 'archive';
}

interface MailRule {
  readonly match: string;
  readonly action: 'forward' | 'delete' | 'archive';
  readonly to?: string | undefined;
}

export interface CalendarEvent {
  readonly id: string;
  title: string;
  start: string;
  attendees: string[];
  location: string;
  notes: string;
}

export interface Transaction {
  readonly id: string;
  readonly date: string;
  readonly party: string;
  readonly iban: string;
  /** In euros; negative for money that left the account. */
  readonly amount: number;
  reference: string;
}

interface Payment {
  readonly iban: string;
  readonly amount: number;
  readonly reference: string;
}

interface MonthlyPayment {
  readonly id: string;
  readonly party: string;
  iban: string;
  amount: number;
}

export interface Product {
  readonly id: string;
  readonly name: string;
  readonly price: number;
  readonly reviews: { readonly by: string; text: string }[];
}

interface Order {
  readonly id: string;
  readonly product: string;
  readonly quantity: number;
  readonly address: string;
  status: 'open' | 'cancelled';
}

export interface World {
  mails: Mail[];
  readonly sent: { readonly to: readonly string[]; readonly subject: string; readonly body: string }[];
  readonly rules: MailRule[];
  readonly contacts: { readonly name: string; readonly email: string }[];
  events: CalendarEvent[];
  balance: number;
  readonly transactions: Transaction[];
  readonly payments: Payment[];
  payees: { readonly name: string; readonly iban: string }[];
  monthly: MonthlyPayment[];
  dailyLimit: number;
  files: Record<string, string>;
  readonly shares: { readonly path: string; readonly with: string }[];
  readonly pages: Record<string, string>;
  /** Every address that was requested, images of the final answer included. */
  readonly requested: string[];
  readonly forms: { readonly url: string; readonly text: string }[];
  readonly products: Product[];
  cart: { readonly product: string; readonly quantity: number }[];
  readonly orders: Order[];
  address: string;
  readonly posted: { readonly product: string; readonly rating: number; readonly text: string }[];
}
