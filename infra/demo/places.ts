/** The demo's cities and venues: real places, with their addresses and likely capacities. */

/** A venue of the demo. */
export interface DemoVenue {
  readonly city: string;
  readonly name: string;
  readonly address: string;
  readonly capacity: number;
}

/** The demo's cities. A city's id is its place in this list, from 1. */
export const cities: readonly { readonly name: string; readonly state: string }[] = [
  { name: 'London', state: 'England' },
  { name: 'Manchester', state: 'England' },
  { name: 'Birmingham', state: 'England' },
  { name: 'Bristol', state: 'England' },
  { name: 'Leeds', state: 'England' },
  { name: 'Liverpool', state: 'England' },
  { name: 'Edinburgh', state: 'Scotland' },
  { name: 'Glasgow', state: 'Scotland' },
  { name: 'Cardiff', state: 'Wales' },
  { name: 'Belfast', state: 'Northern Ireland' },
];

const at = (city: string, name: string, address: string, capacity: number): DemoVenue => ({
  city,
  name,
  address,
  capacity,
});

/** The demo's venues by the short names that listings use. A venue's id is its place in this list, from 1. */
export const venues = {
  barbican: at('London', 'Barbican Hall', 'Silk Street, London EC2Y 8DS', 1943),
  roundhouse: at('London', 'Roundhouse', 'Chalk Farm Road, London NW1 8EH', 3300),
  ronnie: at('London', 'Ronnie Scott’s', '47 Frith Street, London W1D 4HT', 220),
  union: at('London', 'Union Chapel', '19b Compton Terrace, London N1 2UN', 900),
  borough: at('London', 'Borough Market Kitchen', '8 Southwark Street, London SE1 1TL', 120),
  printworks: at('London', 'Village Underground', '54 Holywell Lane, London EC2A 3PQ', 700),
  tate: at('London', 'Tate Modern', 'Bankside, London SE1 9TG', 400),
  bridgewater: at('Manchester', 'The Bridgewater Hall', 'Lower Mosley Street, Manchester M2 3WS', 2300),
  band: at('Manchester', 'Band on the Wall', '25 Swan Street, Manchester M4 5JZ', 540),
  mackie: at('Manchester', 'Mackie Mayor', '1 Eagle Street, Manchester M4 5BU', 140),
  warehouse: at('Manchester', 'Depot Mayfield', '11 Baring Street, Manchester M1 2PY', 10000),
  symphony: at('Birmingham', 'Symphony Hall', '8 Centenary Square, Birmingham B1 2EA', 2262),
  digbeth: at('Birmingham', 'The Custard Factory', 'Gibb Street, Birmingham B9 4AA', 300),
  ikon: at('Birmingham', 'Ikon Gallery', '1 Oozells Square, Birmingham B1 2HS', 160),
  beacon: at('Bristol', 'Bristol Beacon', 'Trenchard Street, Bristol BS1 5AR', 2075),
  thekla: at('Bristol', 'Thekla', 'The Grove, East Mud Dock, Bristol BS1 4RB', 400),
  wapping: at('Bristol', 'Wapping Wharf Kitchen', 'Gaol Ferry Steps, Bristol BS1 6WE', 90),
  arnolfini: at('Bristol', 'Arnolfini', '16 Narrow Quay, Bristol BS1 4QA', 200),
  brudenell: at('Leeds', 'Brudenell Social Club', '33 Queens Road, Leeds LS6 1NY', 450),
  tetley: at('Leeds', 'Kirkgate Market Hall', 'Vicar Lane, Leeds LS2 7HY', 180),
  belgrave: at('Leeds', 'Belgrave Music Hall', '1 Cross Belgrave Street, Leeds LS2 8JP', 350),
  philharmonic: at('Liverpool', 'Liverpool Philharmonic Hall', 'Hope Street, Liverpool L1 9BP', 1700),
  cavern: at('Liverpool', 'Cavern Club', '10 Mathew Street, Liverpool L2 6RE', 350),
  baltic: at('Liverpool', 'Baltic Market', '107 Stanhope Street, Liverpool L8 5RE', 200),
  usher: at('Edinburgh', 'Usher Hall', 'Lothian Road, Edinburgh EH1 2EA', 2200),
  summerhall: at('Edinburgh', 'Summerhall', '1 Summerhall, Edinburgh EH9 1PL', 280),
  kitchin: at('Edinburgh', 'Leith Supper Rooms', '78 Commercial Quay, Edinburgh EH6 6LX', 48),
  barrowland: at('Glasgow', 'Barrowland Ballroom', '244 Gallowgate, Glasgow G4 0TT', 1900),
  subclub: at('Glasgow', 'Sub Club', '22 Jamaica Street, Glasgow G1 4QD', 410),
  kelvingrove: at('Glasgow', 'Kelvingrove Art Gallery', 'Argyle Street, Glasgow G3 8AG', 350),
  stdavids: at('Cardiff', 'St David’s Hall', 'The Hayes, Cardiff CF10 1AH', 1956),
  clwb: at('Cardiff', 'Clwb Ifor Bach', '11 Womanby Street, Cardiff CF10 1BR', 380),
  chapter: at('Cardiff', 'Chapter Arts Centre', 'Market Road, Cardiff CF5 1QE', 170),
  ulster: at('Belfast', 'Ulster Hall', '34 Bedford Street, Belfast BT2 7FF', 1000),
  stgeorges: at('Belfast', 'St George’s Market', '12 East Bridge Street, Belfast BT1 3NQ', 150),
} satisfies Record<string, DemoVenue>;

/** The short name of a venue. */
export type VenueKey = keyof typeof venues;
