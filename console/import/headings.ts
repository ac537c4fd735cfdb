/**
 * What columns are called in English, German, French and Spanish spreadsheets, by the field that they give: letters and
 * digits alone, without accents.
 */
export const headings: Readonly<Record<string, readonly string[]>> = {
  client: ['customer', 'kunde', 'kundenname', 'mandant', 'auftraggeber', 'nomduclient', 'cliente', 'nombredelcliente'],
  serviceName: [
    ...['description', 'leistung', 'bezeichnung', 'beschreibung', 'leistungsbeschreibung'],
    ...['prestation', 'designation', 'libelle', 'servicio', 'descripcion', 'concepto'],
  ],
  serviceType: ['category', 'art', 'typ', 'leistungsart', 'kategorie', 'categorie', 'nature', 'tipo', 'categoria'],
  serviceFee: [
    ...['amount', 'net', 'netamount', 'price', 'honorar', 'betrag', 'netto', 'nettobetrag', 'preis', 'entgelt'],
    ...['honoraires', 'montant', 'montantht', 'prix', 'prixht', 'ht', 'totalht'],
    ...['honorarios', 'importe', 'precio', 'neto', 'importeneto', 'base', 'baseimponible'],
  ],
  taxPercent: [
    ...['tax', 'taxrate', 'vat', 'vatrate', 'gst', 'steuer', 'steuersatz', 'mwst', 'mwstsatz', 'ust', 'ustsatz'],
    ...[
      'mehrwertsteuer',
      'umsatzsteuer',
      'tva',
      'tauxtva',
      'tauxdetva',
      'taxe',
      'iva',
      'tipodeiva',
      'tipoiva',
      'impuesto',
    ],
  ],
  tax: ['taxamount', 'vatamount', 'steuerbetrag', 'mwstbetrag', 'ustbetrag', 'montanttva', 'importeiva', 'cuotaiva'],
  totalFeeWithTax: [
    ...['total', 'gross', 'grossamount', 'gesamt', 'gesamtbetrag', 'summe', 'brutto', 'bruttobetrag', 'endbetrag'],
    ...['ttc', 'totalttc', 'montantttc', 'prixttc', 'importetotal', 'totaliva'],
  ],
  serviceDate: [
    ...['datum', 'leistungsdatum', 'rechnungsdatum', 'tag', 'datedeprestation', 'dateprestation', 'jour'],
    ...['fecha', 'fechadeservicio', 'fechaservicio'],
  ],
  notes: [
    ...['note', 'comment', 'comments', 'remarks', 'notiz', 'notizen', 'bemerkung', 'bemerkungen', 'anmerkung'],
    ...[
      'anmerkungen',
      'kommentar',
      'remarque',
      'remarques',
      'commentaire',
      'notas',
      'nota',
      'observaciones',
      'comentario',
    ],
  ],
  legalName: [
    ...['company', 'companyname', 'customer', 'client', 'firma', 'firmenname', 'unternehmen', 'kunde', 'mandant'],
    ...['nom', 'raisonsociale', 'entreprise', 'societe', 'nombre', 'razonsocial', 'empresa', 'cliente'],
  ],
  operatedAs: ['tradename', 'handelsname', 'geschaftsbezeichnung', 'nomcommercial', 'enseigne', 'nombrecomercial'],
  businessNumber: ['handelsregisternummer', 'hrb', 'siren', 'siret', 'numerodentreprise', 'numerodeempresa'],
  taxId: [
    ...['vatid', 'vatnumber', 'taxnumber', 'steuernummer', 'ustid', 'ustidnr', 'numerodetva', 'notva'],
    ...['nif', 'cif', 'numerofiscal', 'identificacionfiscal'],
  ],
  phone: ['telephone', 'tel', 'telefon', 'telefonnummer', 'telefono', 'numerodetelephone'],
  email: ['emailaddress', 'mail', 'emailadresse', 'courriel', 'adressemail', 'correo', 'correoelectronico'],
  ownershipType: ['legalform', 'rechtsform', 'formejuridique', 'formajuridica'],
  industryType: ['industry', 'branche', 'secteur', 'secteurdactivite', 'sector', 'actividad'],
  incorporationDate: ['founded', 'grundungsdatum', 'gegrundet', 'datedecreation', 'fechadeconstitucion'],
}
