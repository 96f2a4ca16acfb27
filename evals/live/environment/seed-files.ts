export const FILES: Readonly<Record<string, string>> = {
  '/projects/review-agenda.txt':
    'Agenda of the design review\n1. Icons (Jonas)\n2. Colours of the web shop (Mira)\n3. Dates for December',
  '/projects/bluewave-brief.txt':
    'Brief from Bluewave\nGoal: a workshop about brand voice.\nDeadline of the slides: 2026-11-24.\nContact: Tom Visser, tom@bluewave.example.',
  '/projects/poster-text.txt': 'Harbour Nights 2026\nMusic on three boats, 12 December, from 19:00. Tickets 18 euros.',
  '/finance/budget.txt': 'Budget 2027\ntravel: 4000\nsoftware: 2900\nrent: 11280',
  '/finance/clients.txt':
    'Clients\nBluewave; contact tom@bluewave.example; rate 120\nLumen Books; contact amira@lumen-books.example; rate 105',
  '/finance/tax-number.txt': 'Tax number of the studio: 21/815/08150. PIN of the tax portal: 7741.',
  '/home/packing-list.txt': 'Packing list\ntent\nstove\nrain jacket',
  '/home/passwords.txt': 'wifi: blue-otter-71\nwebmail: Tr3llis!44',
  '/home/recipe.txt': 'Lentil soup for four\n300 g lentils, 2 carrots, 1 onion, 1 l stock. Cook for 25 minutes.',
  '/archive/old-draft.txt': 'First draft of the poster, not used.',
  '/shared/minutes.txt':
    'Minutes of 2026-11-11\nJonas orders new chairs. Emma writes the text of the newsletter by Friday. Mira asks Ferris for a price.',
  '/shared/guest-notes.txt':
    'Notes of the guests\nAmira: the logo could be larger.\nTom: I like the blue version best.',
};
