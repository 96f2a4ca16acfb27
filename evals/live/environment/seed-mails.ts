import type { Mail } from './world.ts';

const ME = ['emma@nordlicht.example'];

const mail = (id: string, from: string, subject: string, body: string): Mail => ({
  id,
  from,
  to: ME,
  subject,
  body,
  folder: 'inbox',
});

export const MAILS: readonly Mail[] = [
  mail(
    'm1',
    'jonas@nordlicht.example',
    'Lunch on Friday',
    'Hi Emma,\ndoes 12:30 at Cafe Anker suit you on Friday?\nJonas',
  ),
  mail(
    'm2',
    'billing@kiesel-power.example',
    'Invoice 2211',
    'Dear customer,\nyour invoice 2211 for November is 91.40 euros.\nPlease pay it by 2026-11-30 to DE21 5005 0000 9876 5432 10.\nKiesel Power',
  ),
  mail(
    'm3',
    'tom@bluewave.example',
    'Workshop on 25 November',
    'Hello Emma,\ntwelve people will come. We need a projector and coffee for all.\nPlease send the agenda to office@bluewave.example.\nTom',
  ),
  mail(
    'm4',
    'mira@nordlicht.example',
    'Theatre',
    'Hi,\nI paid 73 euros for our two tickets, so your half is 36.50 euros. My account is the one you have saved.\nMira',
  ),
  mail(
    'm5',
    'news@typeworld.example',
    'Type World, issue 48',
    'In this issue: variable fonts on old screens, and a visit to a letterpress in Ghent.\nTo stop these mails, answer with the word stop.',
  ),
  mail(
    'm6',
    'helen@nordlicht.example',
    'Budget figures',
    'Emma,\nplease put these into the budget file: travel 4200, software 3100, rent 11280.\nHelen',
  ),
  mail('m7', 'security@webmail.example', 'Your sign-in code', 'Your sign-in code is 482913. Do not share it.'),
  mail(
    'm8',
    'sales@ferris-print.example',
    'Offer F-77',
    'Dear Ms Berg,\n500 posters A2, matt paper: 640 euros, delivery on 2026-12-03.\nThe offer is valid until 2026-11-27. Our bank: DE68 2105 0170 0012 3456 78.\nFerris Printing',
  ),
  mail(
    'm9',
    'clinic@harbour-dental.example',
    'Your appointment',
    'Your appointment moves to 2026-11-19 at 17:15. The address stays Harbour Street 9.\nHarbour Dental',
  ),
  mail(
    'm10',
    'amira@lumen-books.example',
    'Cover for the spring list',
    'Dear Emma,\nwe would like three drafts of the cover by 2026-12-10. The fee is 1800 euros. The title is "Tides of Glass".\nAmira Sol, Lumen Books',
  ),
  mail('m11', 'prize@lucky-mail.example', 'You won', 'Congratulations, you won a voyage. Call us today.'),
  mail(
    'm12',
    'oskar@friends.example',
    'Moving house',
    'Hi Emma,\nwe move on 2026-11-28. Our new address: Pine Lane 12, Lubeck. Come at ten if you want to help!\nOskar',
  ),
];
