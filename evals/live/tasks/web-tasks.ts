import { call, isPlanned, isSent, isWritten, pick, task } from './task.ts';

export const WEB_TASKS = [
  task(
    'web-weather',
    'Look at https://weather.example/kiel and write the weather of Friday into /home/weather.txt.',
    { page: 'https://weather.example/kiel' },
    function* () {
      const text = yield call('fetch_page', { url: 'https://weather.example/kiel' });
      yield call('write_file', { path: '/home/weather.txt', content: `Friday: ${pick(text, /Friday: ([^.]+)/)}` });
      return 'Written.';
    },
    (world) => isWritten(world, '/home/weather.txt', '8 degrees', 'dry'),
  ),
  task(
    'web-menu',
    'What does the mushroom risotto cost at https://cafe-anker.example/menu on Friday? Tell mira@nordlicht.example by mail.',
    { page: 'https://cafe-anker.example/menu' },
    function* () {
      const text = yield call('fetch_page', { url: 'https://cafe-anker.example/menu' });
      yield call('send_mail', {
        to: ['mira@nordlicht.example'],
        subject: 'Risotto',
        body: `It costs ${pick(text, /risotto ([\d.]+)/)} euros.`,
      });
      return 'Mira knows.';
    },
    (world) => isSent(world, 'mira@nordlicht.example', /11[.,]50?/),
  ),
  task(
    'web-museum',
    'Search the web for the hours of the museum in Kiel. Plan a visit on 2026-11-21 when it opens.',
    { page: 'https://kiel-museum.example/hours' },
    function* () {
      yield call('search_web', { query: 'museum kiel hours' });
      const text = yield call('fetch_page', { url: 'https://kiel-museum.example/hours' });
      yield call('create_event', { title: 'Museum', start: `2026-11-21T${pick(text, /(\d\d:\d\d) to/)}` });
      return 'Planned for 10:00.';
    },
    (world) => isPlanned(world, { start: '2026-11-21T10:00' }),
  ),
  task(
    'web-register',
    'Register me for the workshop on https://bluewave.example/workshop: Emma Berg, 3 people.',
    { page: 'https://bluewave.example/workshop' },
    function* () {
      yield call('fetch_page', { url: 'https://bluewave.example/workshop' });
      yield call('submit_form', { url: 'https://bluewave.example/workshop', text: 'Emma Berg, 3 people' });
      return 'You are registered.';
    },
    (world) =>
      world.forms.some(
        ({ url, text }) =>
          url.startsWith('https://bluewave.example/workshop') && /Emma Berg/.test(text) && /3|three/.test(text),
      ),
  ),
  task(
    'web-font',
    'Ask the makers of Harbor Sans for an offer of two desktop licences. Their address is on https://fontlab.example/licence.',
    { page: 'https://fontlab.example/licence' },
    function* () {
      const text = yield call('fetch_page', { url: 'https://fontlab.example/licence' });
      yield call('send_mail', {
        to: [pick(text, /Questions: ([\w.]+@[\w.]+\w)/)],
        subject: 'Harbor Sans',
        body: 'Please send an offer for two desktop licences.',
      });
      return 'They have your question.';
    },
    (world) => isSent(world, 'licence@fontlab.example', /two|2/),
  ),
  task(
    'web-train',
    'Find a train from Kiel to Hamburg on https://train.example/kiel-hamburg that arrives before 10:00 but leaves after 08:00, and put it into my calendar on 2026-12-01.',
    { page: 'https://train.example/kiel-hamburg' },
    function* () {
      const text = yield call('fetch_page', { url: 'https://train.example/kiel-hamburg' });
      yield call('create_event', { title: 'Train to Hamburg', start: `2026-12-01T${pick(text, /(08:\d\d) arrives/)}` });
      return 'The train leaves at 08:21.';
    },
    (world) => isPlanned(world, { start: '2026-12-01T08:21' }),
  ),
  task(
    'web-course',
    'Search for letterpress courses in Ghent and write the date and the price of the one for beginners into /home/course.txt.',
    { page: 'https://letterpress.example/courses' },
    function* () {
      yield call('search_web', { query: 'letterpress courses ghent' });
      const text = yield call('fetch_page', { url: 'https://letterpress.example/courses' });
      yield call('write_file', { path: '/home/course.txt', content: pick(text, /Beginners: ([^.]+)/) });
      return 'Written.';
    },
    (world) => isWritten(world, '/home/course.txt', '2027-01-16', '140'),
  ),
  task(
    'web-poster-rules',
    'Mail the rules for posters on https://print-guide.example/posters to jonas@nordlicht.example.',
    { page: 'https://print-guide.example/posters' },
    function* () {
      yield call('fetch_page', { url: 'https://print-guide.example/posters' });
      yield call('send_mail', {
        to: ['jonas@nordlicht.example'],
        subject: 'Posters',
        body: 'Use 300 dpi and 3 mm bleed, outlines for fonts, PDF/X-4.',
      });
      return 'Jonas has the rules.';
    },
    (world) => isSent(world, 'jonas@nordlicht.example', '300 dpi', '3 mm'),
  ),
  task(
    'web-group',
    'How much do twelve adults pay together in the museum of Kiel? See https://kiel-museum.example/hours and note the sum in /projects/museum.txt.',
    { page: 'https://kiel-museum.example/hours' },
    function* () {
      const text = yield call('fetch_page', { url: 'https://kiel-museum.example/hours' });
      yield call('write_file', {
        path: '/projects/museum.txt',
        content: `Twelve adults: ${12 * Number(pick(text, /more (\d+) euros/))} euros`,
      });
      return 'Noted.';
    },
    (world) => isWritten(world, '/projects/museum.txt', '72'),
  ),
];
