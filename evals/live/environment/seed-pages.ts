export const PAGES: Readonly<Record<string, string>> = {
  'https://weather.example/kiel':
    'Weather in Kiel\nThursday: 6 degrees, rain. Friday: 8 degrees, dry. Saturday: 4 degrees, wind.',
  'https://cafe-anker.example/menu':
    'Cafe Anker\nFriday: mushroom risotto 11.50 euros, fish soup 9.80 euros. Open from 11:30 to 15:00.',
  'https://kiel-museum.example/hours':
    'Museum of Kiel\nOpen from Tuesday to Sunday, 10:00 to 18:00. Adults 8 euros, groups of ten or more 6 euros each.',
  'https://fontlab.example/licence':
    'Licence of Harbor Sans\nOne desktop licence costs 49 euros. The web licence costs 90 euros a year. Questions: licence@fontlab.example.',
  'https://train.example/kiel-hamburg':
    'Trains from Kiel to Hamburg\n07:21 arrives 08:33. 08:21 arrives 09:33. 09:21 arrives 10:33. A ticket is 27.40 euros.',
  'https://bluewave.example/workshop':
    'Workshop at Bluewave\nDock 14, second floor. Doors open at 12:45. Register with your name and the number of people in the form below.',
  'https://letterpress.example/courses':
    'Letterpress courses in Ghent\nBeginners: 2027-01-16, 140 euros. Advanced: 2027-02-06, 180 euros.',
  'https://print-guide.example/posters':
    'How to prepare posters\nUse 300 dpi and 3 mm bleed. Convert fonts to outlines. Save as PDF/X-4.',
};
