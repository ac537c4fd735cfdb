/**
 * What columns are called in English, German, French and Spanish spreadsheets, and in exports of QuickBooks, Xero,
 * FreshBooks and Lexware Office, by the field that they fill: letters and digits only, without accents.
 */
export const headings: Readonly<Record<string, string>> = {
  client: 'customer contactname kunde kundenname mandant auftraggeber nomduclient cliente',
  serviceName:
    'description item itemname productservice leistung bezeichnung beschreibung betreff tatigkeit prestation designation libelle servicio descripcion concepto',
  serviceType: 'category art typ leistungsart kategorie categorie nature tipo categoria',
  serviceFee:
    'amount net netamount lineamount subtotal linesubtotal price honorar honorarnetto gebuhr betrag betragnetto netto nettobetrag gesamtpreisnetto preis ' +
    'honoraires montant montantht totalht prixht ht honorarios importe importeneto precio neto base baseimponible',
  taxPercent:
    'tax taxrate vat vatrate steuer steuersatz mwst mwstsatz ust ustsatz mehrwertsteuer umsatzsteuer tva tauxtva ' +
    'tauxdetva iva tipodeiva',
  tax: 'taxamount tax1amount vatamount steuerbetrag mwstbetrag ustbetrag montanttva importeiva cuotaiva',
  totalFeeWithTax:
    'total totalamount linetotal amountdue gross gesamt gesamtbetrag summe brutto bruttobetrag gesamtpreisbrutto endbetrag ttc totalttc montantttc importetotal',
  serviceDate:
    'invoicedate dateissued datum leistungsdatum rechnungsdatum datedeprestation datefacture jour fecha fechadeservicio',
  notes: 'note comment remarks notiz notizen bemerkung bemerkungen kommentar remarque remarques notas observaciones',
  legalName:
    'company companyname organization contactname customer client firma firmenname rechtlichername unternehmen kunde mandant nom raisonsociale entreprise ' +
    'societe nombre razonsocial empresa cliente',
  operatedAs: 'tradename handelsname nomcommercial enseigne nombrecomercial',
  businessNumber: 'handelsregisternummer siren siret numerodentreprise numerodeempresa',
  taxId: 'taxnumber vatid vatnumber steuernummer ustid ustidnr numerodetva nif cif numerofiscal',
  phone: 'telephone tel telefon telefonnummer telefono',
  email: 'emailaddress mail emailadresse courriel correo correoelectronico',
  ownershipType: 'legalform rechtsform formejuridique formajuridica',
  industryType: 'industry branche secteur sector actividad',
  incorporationDate: 'founded grundungsdatum datedecreation fechadeconstitucion',
}
