// The words that the code of a frame is made of. Made by `npx tsx packages/core/generate/tables.ts` from
// packages/core/words/frame/words.txt; change it there.

const LIST =
  'ability accent acclaim ace acid acre action actor actress acute adult advent advice aerial aerobic afar age ' +
  'agency agile aide air airline airport aisle album algebra alien alley ally almond aloe aloha alpha alpine altar ' +
  'alto alumni amateur amber amigo amino amount ample analog analyst anatomy anchor ancient angle angular animal ' +
  'ankle annual ant antenna anthem antique apex apple apron aqua arc arcade arch area arena aria ark arm armor ' +
  'aroma array arrival arrow art artist artwork ascent ash aspect athlete atom attic auction audio aunt author auto ' +
  'autumn avatar avenue average avid avocado award axe axis baby backup bacon badge bag baggage bakery balance ' +
  'balcony ball bamboo banana banker banner bar barber barcode bare barley barn barrier basalt base basic basil ' +
  'basis basket bat batch bath baton battery bay beach beacon beam bean beard beauty bedroom bee beef beige bell ' +
  'belt bench bend benefit berry best beta bicycle bike binary bind biology bird birth biscuit black blade blank ' +
  'blast blazer blend blob bloom blossom blot blouse blue bluff blunt blur blush board boat body boil bold bolt ' +
  'bond bone bonnet bonus booklet booth boss bottle bottom bow bowl box bracket brain brake brand brass bread ' +
  'breeze brewery brick bridge brief bright brim brink brisk broad bronze brook broom brother brown brunch brush ' +
  'bubble bucket bud buddy budget buffalo bulb bulk bullion bunch bundle bunker bunny burden bureau burger bus bush ' +
  'butter button buzz cab cabbage cabin cable cactus cafe cage cake calcium calf caliber calm calorie camel camera ' +
  'camp canal candle candy cane canine canoe canvas canyon cap cape capital capsule captain car caravan carbon card ' +
  'cargo carpet carrot cartoon cascade cash castle casual catalog cattle cave cavity cedar ceiling celery cell ' +
  'cement census century ceramic cereal chain chair chalk chamber channel chapel chapter charity chat cheddar ' +
  'cheese chef cherry chess chewy chi chicken chief child chimney chin chip choir chop chord chronic chunk church ' +
  'chute cider cinema circle circuit citizen citrus city civil clamp clan clap clarity class clause claw clay ' +
  'clergy clerk clever cliff climate clinic clip cloak clock clog cloth cloud clown club clue cluster clutch coach ' +
  'coal coast coat cobalt cobra cocoa coconut cod coffee coil coin cola cold collar college color colt column ' +
  'comedy comet comic common company compass concept conduit cone consul convoy cook cool copper coral cord cork ' +
  'corner cortex cosmic cost cottage cotton couch cougar council country couple courage course court cousin cover ' +
  'cow cowboy cozy crab crack cradle craft crane crater cream credit creek creme crew cricket crimson crisp crock ' +
  'crop crown crucial cruise crumb crunch crust crystal cube cubic cuisine culture cumin cup cupcake cupid curator ' +
  'curious current curtain curve cushion cusp custom cycle cyclone dad dairy dale dam dame dance dart date dawn day ' +
  'daytime dean dear debit debris decade decent decimal deck decree deep deer defense degree dell delta demo den ' +
  'denim density dentist depot depth derby desert design desk detail diagram dial diamond diary dice diesel diet ' +
  'dig digital dignity dilemma dill dime diner dioxide diploma dirt disc dish disk distant ditch dock doctor dog ' +
  'doll dolphin dome domino donkey donor donut door dorsal dosage dose dot double dove dozen dragon drama drawer ' +
  'dream dress drift drill drink drip drizzle drone drum dry dual duck duct duet duke dull dune duo duplex durable ' +
  'dusk dust duty duvet dynasty eagle ear earth east easy ebony echo eclipse ecology economy edge edgy edition eel ' +
  'effort egg eight elastic elbow eldest elegant element eleven elf elite elk ellipse elm embassy ember emblem ' +
  'emerald emotion empathy empire enamel encore endless energy engine entire entree envoy envy enzyme epic episode ' +
  'equity era erosion escort essay essence estate ethanol ether exam exhibit exotic expense expert extent extra eye ' +
  'eyebrow fabric facade facial factor faculty fairy faith fame famous fan fantasy fare farm father faucet fauna ' +
  'fax feast feather feature federal feed feet feline fence ferment fern ferry festive fiber fiction fiddle fifth ' +
  'fig figure filler film fin final fine finger finite fire firm fiscal fish fit fitness five fixture flag flaky ' +
  'flame flank flap flash flavor fleet flip float flock flood floor floral floss flour flower fluid flush flute fly ' +
  'foam fog foil fold folk fond font food foot forest fork formula fortune forty forum fossil foster founder fox ' +
  'foyer fragile freedom freight fresh fridge friend frog front frost frozen fruit fudge fuel fun funny fur furnace ' +
  'fusion future gadget galaxy gallery game gamma gap garage garden garlic garment garnish gate gazebo gear gem ' +
  'general genius genre gentle genuine geology gesture giant gift ginger glacier glad glamour glass glide glimpse ' +
  'glitter globe gloomy glory gloss glove glow glucose glue gluten goal goat gold golf gong good goose gorge gothic ' +
  'gown grace grader grain grammar granite grape graph grass gravel gravity gray great green grey grid grill grime ' +
  'grip grit grocery groove group grove grow grub guest guide guild guitar gulf gummy gusto gutter gym habitat hair ' +
  'half hall ham hammer hamster handful happy harbor hardy harmony harness harp harsh hart harvest haven hay head ' +
  'health heap heart heat heaven heavy hedge hefty height heir helium helmet helpful hen herald herbal hero high ' +
  'hill hinge hint hobby hockey hole holiday hollow homage home honey honor hood hook hop hope horizon horn horse ' +
  'hour hover hub huge hull humble humid humor hunter hut hybrid hymn ice icon icy idea idol imagery immense impact ' +
  'impulse inch income indie indoor initial ink inland inn insect insight instant intact iodine ion iron island ' +
  'isle isotope item ivory ivy jacket jade jam jar jargon jasmine jazz jeep jelly jersey jet jewel job jockey joint ' +
  'journey joy joyous jug juice jumbo jump jungle junior justice kale karate kayak keen keg kennel kernel ketchup ' +
  'kettle kiln kind kinetic kingdom kit kitchen kite kitty kiwi knee knight knob kosher lab labor lace ladder lady ' +
  'lagoon lake lama lamb lamp lance land lane lantern lap laptop large latch lateral laundry lava lawn layer layout ' +
  'leader leaf leap lease leather leek leg legend legion leisure lemon length leopard lesson lettuce level liberty ' +
  'library license lid life light lily limb lime line lion liquid litre little llama loan lobby lobster local lodge ' +
  'logic logo lone long loop loose loud lounge love loyal lucid lucky luggage lumber lunar luxury lyric mace ' +
  'machine magic magma magnet maiden mailbox main major makeup mall malt manga mango manor mansion map maple marble ' +
  'margin marina marker market marrow marsh martial marvel mask mason mass mast mat match mate math matrix maximum ' +
  'maya mayor maze meadow meal meat medal media medium mega melody melon memoir mentor menu merry mesa mesh metal ' +
  'meteor metre metric metro mice middle midst midway mighty mild mile milk million mineral minimum minor mint ' +
  'minute mirror mist mitten mixture mobile mocha modern moist mold moment monarch monkey monster month mood moon ' +
  'mop morale morning mortar mosaic moss mother motif motion motor motto mound mount mouse mouth movable movie ' +
  'mower mud muffin mug mulch mule mundane mural muscle museum music mustard mutable mutual muzzle mystery myth ' +
  'nail narrow nation natural nave navy neat neck nectar neon nephew nerve nest net neuron neutral nice niche ' +
  'nickel niece nifty night nine ninja ninth noble noise noodle noon normal north nose notable notice notion nova ' +
  'novel nucleus numeric nun nursery nut nylon oak oasis oat oath obscure obvious ocean odd oil olive omega omen ' +
  'onboard onion onset opacity opera opinion optical oral orange orbit orchard orchid ore organ ounce outage ' +
  'outcome outdoor outer outfit outlet outside outward oval oven overlap owl oxygen oyster ozone pace packet pact ' +
  'pad paddle pager paint pair pajamas pal palace pale palm pan pancake panda panel pantry paper paprika parade ' +
  'parcel parent park parsley partner passage pasture patent path patrol pattern pave payday pea peace peanut pedal ' +
  'pellet pen pencil pendant penny pepper perch perfect persona pet petite phantom phase phoenix phone photo phrase ' +
  'pianist piano picnic picture pie piece pig pigeon pile pillar pillow pilot pin pine pink pioneer pipe pirate ' +
  'piston pitch pizza plain plane planet plank plant plaque plaster plastic plate player plaza plea plenty plot ' +
  'plug plum plunge plural plus plywood pocket pod podcast podium poem poet point polar pole polite poll polo ' +
  'polymer pond pony pool pop popcorn popular porch pork porous portion poster pot potato pottery pouch pout powder ' +
  'power prairie praise precise premise press pretty price pride primary prince prior prism prize product profile ' +
  'pronto prophet prose prosper proton proud prune pub pudding pueblo pulp pulse pumpkin punch punk pupil puppet ' +
  'puppy pure purity purpose pursuit puzzle pyramid quake quality quantum quarter quartz queen quick quiet quilt ' +
  'quiz rabbit rack radar radio raffle raft railway rain rainbow rake rally ram ramp ranch range rapid rare rarity ' +
  'rate raven razor reactor real rear rebate recent recipe rector reef referee reflex reggae region regular relay ' +
  'relief remedy remote renewal rental replica repose reprise residue retail revival rhyme rhythm rib ribbon rice ' +
  'rich ride ridge rigor rim rind ring rink ripple rite rival river road roast robe robin robot robust rocket roll ' +
  'romance roof rookie rooster rope rose roster rosy rouge rough round route rover row royal rubber ruby rug rugby ' +
  'rumor rundown runner runway rural rush rust rye saddle sage sail sailor sake salad sale salmon salon salsa salt ' +
  'sand sash satin satire sauce sauna sausage scale scarf scene scheme scholar school science scoop scope scorer ' +
  'scout scratch screen scroll scuba sea season seat sector sedan seed segment seismic seminar senior sensor sequel ' +
  'sesame seven shabby shack shade shadow shaft shaky shallow shampoo shape shark sharper sheath sheet shelf ' +
  'shelter shield shimmer shine ship shirt shoe shop short shower shrub shuttle shy sibling side sight sigma signal ' +
  'silent silicon silk silo silver similar simple singer single sister sitcom sitter six sixth size skate sketch ' +
  'ski skill skin skipper sky skyline slang slate sled sleeve slender slice slide slipper slogan slope slot slow ' +
  'sludge slug small smart smell smile smoke smooth snack snail snake snow soap soccer social society sock soda ' +
  'sodium soft solar solid song sonic soul sound soup south spa space span spare spatial special speech spell ' +
  'sphere spice spider spike spin spirit splice sponge sponsor spoon sport spot spray spread spring spruce spur ' +
  'square squid stable stack stadium staff stage stake stamp stance staple starter state station steady steam steel ' +
  'stellar stem stencil stereo stern stew stimuli stitch stock stone stool stopper storage storm story stout stove ' +
  'strand straw stream street strict strip stroke strong student studio study stuff stump sturdy style suave ' +
  'sublime subtle suburb subway success sudden sudoku suffix sugar suit sulfur sum summer sun sunny sunrise sunset ' +
  'super supper surface surge surplus sushi swagger swarm sweater sweet swell swift swim swing swirl swivel symbol ' +
  'synergy synonym syntax syrup tab tablet taco tactile tag tail talent tall tan tango tank tap tape tar tart taste ' +
  'taxi tea teacher teal team teeth temple tempo ten tenant tennis tenor tension tent term tern terrain textile ' +
  'thaw theater theme theory thermal thick thinner thirty thorn thought three thrill thumb thunder thyme ticket ' +
  'tidal tide tidy tiger tight tile tilt timber tin tint tiny tire tissue toast toll tomato tone tooth top topic ' +
  'torch tornado torque total tourist towel tower town toy track tract trade traffic trail train trait tram trance ' +
  'transit travel tray trek trend trial tribute tricky trilogy trim trio trip triumph trophy troupe trout truck ' +
  'trumpet trunk tube tubular tuna tune tunnel turbine turf turret turtle tutor tutu twelve twenty twig twin twist ' +
  'typical ultra uncle unicorn uniform unique unit unusual upfront upper upright upside urban useful usual utility ' +
  'vacant vaccine vacuum vague vale valid valley value valve van vanity vantage vapor variety varsity vast vault ' +
  'vector vegan veggie vehicle vein velvet vendor venture venue verbal vessel vest vibrant victory video viewer ' +
  'village vine vintage vinyl viola violet violin viral virtual visa visible visor vista visual vital vivid vocal ' +
  'voice volcano volley voltage volume vowel voyage wafer waffle wage wagon wake walk wall walnut wand ward warm ' +
  'wash waste water watt wave wax weather wedding weekend weight welcome west wet whale wheat wheel whisk wick wide ' +
  'widget width wild willow wilt wind window wing winner winter wisdom wise witch wok wolf wonder wood wool world ' +
  'worth wrap wreath wrench wrinkle wrist yacht yam yang yard yarn year yeast yellow yield yoga yogurt young youth ' +
  'yuan yummy zebra zero zinc zip zipper zodiac zone zoo zoom ';

/** 2048 short words. Each is one token of common tokenizers, and none asks for anything. */
export const FRAME_WORDS: readonly string[] = Object.freeze(LIST.trim().split(' '));
