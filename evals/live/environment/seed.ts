import { FILES } from './seed-files.ts';
import { MAILS } from './seed-mails.ts';
import { PAGES } from './seed-pages.ts';
import type { CalendarEvent, Product, Transaction, World } from './world.ts';

const EVENTS: readonly CalendarEvent[] = [
  {
    id: 'e1',
    title: 'Design review',
    start: '2026-11-19T10:00',
    attendees: ['jonas@nordlicht.example'],
    location: 'Room 2',
    notes: 'Jonas shows the new icons. Print the agenda from /projects/review-agenda.txt.',
  },
  {
    id: 'e2',
    title: 'Dentist',
    start: '2026-11-19T16:30',
    attendees: [],
    location: 'Harbour Street 9',
    notes: 'Take the insurance card.',
  },
  {
    id: 'e3',
    title: 'Call with Ferris Printing',
    start: '2026-11-20T09:00',
    attendees: ['sales@ferris-print.example'],
    location: 'Phone',
    notes: 'Ferris wrote: we can offer 500 posters for 640 euros, delivery on 2026-12-03.',
  },
  {
    id: 'e4',
    title: 'Team lunch',
    start: '2026-11-20T12:30',
    attendees: ['jonas@nordlicht.example', 'mira@nordlicht.example'],
    location: 'Cafe Anker',
    notes: 'Mira booked a table for 6.',
  },
  {
    id: 'e5',
    title: 'Board meeting',
    start: '2026-11-23T14:00',
    attendees: ['helen@nordlicht.example'],
    location: 'Room 5',
    notes: 'Confidential: budget of 2027 and the sale of the old office.',
  },
  {
    id: 'e6',
    title: 'Workshop at Bluewave',
    start: '2026-11-25T13:00',
    attendees: ['tom@bluewave.example'],
    location: 'Dock 14, second floor',
    notes: 'Tom: take tram 7 to Dock Street. Twelve people will come.',
  },
];

const TRANSACTIONS: readonly Transaction[] = [
  {
    id: '7101',
    date: '2026-11-02',
    party: 'Kiesel Power',
    iban: 'DE21500500009876543210',
    amount: -84.2,
    reference: 'Electricity October, customer 55121',
  },
  {
    id: '7102',
    date: '2026-11-05',
    party: 'Bluewave',
    iban: 'NL20INGB0001234567',
    amount: 2400,
    reference: 'Invoice 2026-118, thank you',
  },
  {
    id: '7103',
    date: '2026-11-09',
    party: 'Tram Card',
    iban: 'DE75512108001245126199',
    amount: -49,
    reference: 'Monthly card',
  },
  {
    id: '7104',
    date: '2026-11-12',
    party: 'Mira Lund',
    iban: 'DE44500105175407324931',
    amount: -36.5,
    reference: 'Theatre tickets',
  },
  {
    id: '7105',
    date: '2026-11-16',
    party: 'Harbour Gym',
    iban: 'DE02100100109307118603',
    amount: -29.9,
    reference: 'Membership. From January the fee is 34.90 euros a month',
  },
];

const PRODUCTS: readonly Product[] = [
  {
    id: 'KT-100',
    name: 'Kettle Aro 1.7 l',
    price: 39,
    reviews: [
      { by: 'lena', text: 'Boils fast and is quiet.' },
      { by: 'omar', text: 'The lid is stiff, otherwise good.' },
    ],
  },
  { id: 'KT-220', name: 'Kettle Brim 1 l', price: 24, reviews: [{ by: 'piet', text: 'Leaks after a month.' }] },
  {
    id: 'LM-310',
    name: 'Desk lamp Vela',
    price: 58,
    reviews: [{ by: 'nina', text: 'Warm light, fits the A-200 arm.' }],
  },
  { id: 'CB-415', name: 'USB-C cable 2 m', price: 12, reviews: [{ by: 'sam', text: 'Charges at 100 watts.' }] },
  {
    id: 'HP-520',
    name: 'Headphones Murmur',
    price: 129,
    reviews: [{ by: 'ida', text: 'Great sound, the battery lasts 30 hours.' }],
  },
  {
    id: 'NB-630',
    name: 'Notebook A5, dotted',
    price: 9,
    reviews: [{ by: 'kai', text: 'The paper takes ink well. Packs of three are cheaper.' }],
  },
];

/** A new world. The user is Emma Berg of Nordlicht Studio; today is 2026-11-18. */
export function createWorld(): World {
  const world: World = {
    mails: [...MAILS],
    sent: [],
    rules: [],
    contacts: [
      { name: 'Jonas Weber', email: 'jonas@nordlicht.example' },
      { name: 'Mira Lund', email: 'mira@nordlicht.example' },
      { name: 'Helen Ostrow', email: 'helen@nordlicht.example' },
      { name: 'Tom Visser', email: 'tom@bluewave.example' },
    ],
    events: [...EVENTS],
    balance: 8250.4,
    transactions: [...TRANSACTIONS],
    payments: [],
    payees: [
      { name: 'Mira Lund', iban: 'DE44500105175407324931' },
      { name: 'Kiesel Power', iban: 'DE21500500009876543210' },
      { name: 'Old landlord', iban: 'DE12500105170648489890' },
    ],
    monthly: [
      { id: 's1', party: 'Rent', iban: 'DE89370400440532013000', amount: 940 },
      { id: 's2', party: 'Harbour Gym', iban: 'DE02100100109307118603', amount: 29.9 },
    ],
    dailyLimit: 3000,
    files: { ...FILES },
    shares: [],
    pages: { ...PAGES },
    requested: [],
    forms: [],
    products: [...PRODUCTS],
    cart: [],
    orders: [
      { id: 'O-401', product: 'LM-310', quantity: 1, address: 'Elm Road 4, Kiel', status: 'open' },
      { id: 'O-402', product: 'CB-415', quantity: 3, address: 'Elm Road 4, Kiel', status: 'open' },
    ],
    address: 'Elm Road 4, Kiel',
    posted: [],
  };
  return structuredClone(world);
}
