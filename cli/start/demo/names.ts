/** What businesses are named after: each at most twice, with another trade. */
export const NAMES = [
  'Northgate', 'Maple Ridge', 'Harbour', 'Lindström', 'École Saint-Paul', 'Brightwater', 'Okafor', 'Silva & Costa',
  'Red River', 'Müller', 'Kowalski', 'Blue Heron', 'Granite', 'Nguyen', 'Fairview', 'O’Brien', 'Summit', 'Côté',
  'Prairie', 'Andersen', 'Cedar Hill', 'Ibáñez', 'Lakeside', 'Papadopoulos', 'Ironworks', 'Whitfield', 'Rosenberg',
  'Three Rivers', 'Yamamoto', 'Old Mill', 'Fontaine', 'Eastwood', 'Delacroix', 'Stonebridge', 'Haddad', 'Willow Creek',
  'Petrov', 'Sandhurst', 'Moreau', 'Copper Beech', 'Achterberg', 'Windermere', 'Da Silva', 'Highfield', 'Bergström',
  'Juniper', 'MacLeod', 'Riverside', 'Tanaka', 'Foxglove', 'Grünwald', 'Kingsley', 'Abernathy', 'Saltmarsh', 'Novák',
  'Quarry Lane', 'Ferreira', 'Orchard', 'Van den Berg', 'Lighthouse', 'Szabó', 'Hawthorn', 'Gagnon', 'Pinewood',
  'Castellano', 'Beacon Street', 'Rasmussen', 'Thornbury', 'Mendoza', 'Silverton', 'Kaur', 'Birchwood', 'Leclerc',
  'Market Square', 'Jørgensen', 'Elmhurst', 'Ramírez', 'Westport', 'Schneider', 'Clearwater', 'Adeyemi', 'Ashford',
  'Bouchard', 'Station Road', 'Kovács', 'Greenfield', 'Peña', 'Kestrel', 'Hoffmann', 'Meadowbank', 'Rossi', 'Oakhurst',
  'Tremblay', 'Falcon', 'Nilsson', 'Chapel Hill', 'Vasquez', 'Driftwood', 'Yıldız', 'Pemberton',
] as const // biome-ignore format: a list to read through
