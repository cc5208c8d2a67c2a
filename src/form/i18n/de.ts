import type { Catalog } from './en.ts';

/** The texts of the form in German. */
export const de: Catalog = {
  'frame.title': 'Sicheres Kartenformular',
  'frame.alone': 'Dieses Kartenformular funktioniert nur auf der Bezahlseite eines Shops.',
  secure: 'Verschlüsselt und nur für den Zahlungsdienst',
  sandbox: 'Testumgebung',
  'sandbox.hint': 'Es fließt kein echtes Geld',

  'section.card': 'Karte',
  'section.billing': 'Rechnungsangaben',
  'billing.change': 'Ändern',
  'billing.address': 'Rechnungsadresse: {address}',
  'billing.shipping': 'Rechnungs- und Lieferadresse: {address}',

  'field.number': 'Kartennummer',
  'field.expiry': 'Gültig bis',
  'field.cvc': 'Prüfnummer',
  'field.name': 'Name auf der Karte',
  'field.email': 'E-Mail-Adresse',
  'field.country': 'Land oder Region',
  'field.line1': 'Adresse',
  'field.line2': 'Adresszusatz',
  'field.line2.add': 'Wohnung, Etage oder c/o hinzufügen',
  'field.city.city': 'Ort',
  'field.city.district': 'Bezirk',
  'field.city.post_town': 'Ort',
  'field.city.suburb': 'Ort oder Vorort',
  'field.state.area': 'Gebiet',
  'field.state.county': 'County',
  'field.state.department': 'Departamento',
  'field.state.district': 'Distrikt',
  'field.state.do_si': 'Provinz oder Stadt',
  'field.state.emirate': 'Emirat',
  'field.state.island': 'Insel',
  'field.state.oblast': 'Oblast',
  'field.state.parish': 'Parish',
  'field.state.prefecture': 'Präfektur',
  'field.state.province': 'Provinz',
  'field.state.region': 'Region',
  'field.state.state': 'Bundesstaat',
  'field.postal_code.postal': 'Postleitzahl',
  'field.postal_code.postcode': 'Postleitzahl',
  'field.postal_code.zip': 'ZIP-Code',
  'field.postal_code.pin': 'Postleitzahl (PIN)',
  'field.postal_code.eircode': 'Eircode',
  'field.postal_code.cep': 'CEP',
  'field.optional': 'optional',
  'number.moves_on': 'Ist dieses Feld vollständig, folgt von selbst das nächste.',
  'field.refused': 'Diese Angabe wurde nicht angenommen. Bitte prüfen Sie sie.',
  'field.problem': '{label}: {problem}',

  'placeholder.number': '1234 1234 1234 1234',
  'placeholder.expiry': 'MM / JJ',
  'placeholder.cvc': 'CVC',

  'cvc.help': 'Wo finde ich die Prüfnummer?',
  'cvc.help.back': 'Die 3 Ziffern auf der Rückseite Ihrer Karte',
  'cvc.help.front': 'Die 4 Ziffern auf der Vorderseite Ihrer Karte',

  'number.empty': 'Bitte geben Sie Ihre Kartennummer ein.',
  'number.incomplete': 'Diese Kartennummer ist zu kurz. Bitte geben Sie alle Ziffern ein.',
  'number.luhn': 'In dieser Kartennummer steckt ein Fehler. Bitte vergleichen Sie sie mit Ihrer Karte.',
  'number.length': 'Diese Kartennummer hat zu viele Ziffern. Bitte vergleichen Sie sie mit Ihrer Karte.',
  'number.unknown_brand':
    'Das sieht nicht nach einer Kartennummer aus. Bitte vergleichen Sie sie mit Ihrer Karte.',
  'number.not_accepted': 'Dieser Shop nimmt {brand} nicht an. Bitte verwenden Sie eine andere Karte.',
  'expiry.empty': 'Bitte Datum eingeben.',
  'expiry.incomplete': 'Zum Beispiel 05 / 30.',
  'expiry.month': 'Monat von 01 bis 12.',
  'expiry.past': 'Abgelaufen. Bitte prüfen.',
  'expiry.far_future': 'Zu weit weg. Bitte prüfen.',
  'cvc.empty': 'Bitte Code eingeben.',
  'cvc.incomplete': 'Alle Ziffern eingeben.',
  'cvc.length': 'Zu viele Ziffern.',
  'name.empty': 'Bitte geben Sie den Namen ein, der auf Ihrer Karte steht.',
  'email.empty': 'Bitte geben Sie Ihre E-Mail-Adresse ein.',
  'email.incomplete': 'Bitte geben Sie die vollständige E-Mail-Adresse ein, zum Beispiel name@example.com.',
  'email.format': 'Bitte prüfen Sie die E-Mail-Adresse. Sie sollte aussehen wie name@example.com.',
  'country.empty': 'Bitte wählen Sie ein Land oder eine Region.',
  'line1.empty': 'Bitte geben Sie Ihre Adresse ein.',
  'city.empty': 'Bitte ausfüllen.',
  'state.empty': 'Bitte ausfüllen.',
  'postal_code.empty': 'Bitte PLZ eingeben.',
  'postal_code.empty.postcode': 'Bitte PLZ eingeben.',
  'postal_code.empty.zip': 'Bitte ZIP eingeben.',
  'postal_code.empty.pin': 'Bitte geben Sie Ihre Postleitzahl (PIN) ein.',
  'postal_code.empty.eircode': 'Bitte geben Sie Ihren Eircode ein.',
  'postal_code.empty.cep': 'Bitte geben Sie Ihren CEP ein.',
  'postal_code.pattern': 'Meist wie {example}.',
  'postal_code.unusual':
    'Ist das richtig? In diesem Land sieht diese Angabe meist aus wie {example}. Wenn ja, drücken Sie bitte noch einmal auf die Schaltfläche.',
  'text.too_long': 'Das ist zu lang. Bitte kürzen Sie es auf {max} Zeichen.',
  'text.card_number':
    'Das sieht nach einer Kartennummer aus. Bitte geben Sie sie nur im Feld für die Kartennummer ein.',

  pay: '{amount} bezahlen',
  'pay.busy': 'Zahlung läuft …',
  'action.try_again': 'Erneut versuchen',
  'action.check_status': 'Status prüfen',

  total: 'Gesamtbetrag',
  details: 'Einzelheiten',
  'summary.amount': 'Betrag',
  'summary.shipping': 'Versand',
  'summary.tax': 'Steuern',
  'summary.discount': 'Rabatt',
  'summary.adjustment': 'Anpassung',
  'summary.fee': 'Bearbeitungsgebühr',
  'summary.quantity': '{quantity} × {price}',

  'notice.loading': 'Das Zahlungsformular wird geladen …',
  'notice.load_failed': 'Das Zahlungsformular konnte nicht geladen werden.',
  'notice.asking_store': 'Der Shop prüft Ihre Bestellung. Einen Moment bitte.',
  'notice.order_refused': 'Der Shop konnte diese Bestellung nicht annehmen. Es wurde nichts abgebucht.',
  'notice.store_silent':
    'Der Shop hat nicht geantwortet, daher wurde nichts abgebucht. Bitte drücken Sie erneut auf die Schaltfläche.',
  'notice.confirming': 'Ihre Zahlung wird bestätigt. Bitte lassen Sie diese Seite geöffnet.',
  'notice.still_confirming':
    'Wir warten noch auf die Bestätigung Ihrer Bank. Diese Bestellung wird nicht doppelt abgebucht.',
  'notice.still_confirming.10':
    'Wir warten noch auf die Bestätigung Ihrer Bank. Das kann eine Minute dauern. Diese Bestellung wird nicht doppelt abgebucht.',
  'notice.still_confirming.30':
    'Ihre Bank braucht länger als sonst. Bitte lassen Sie diese Seite geöffnet; es wird nicht doppelt abgebucht.',
  'notice.still_confirming.60':
    'Ihre Bank hat noch nicht geantwortet. Wir fragen weiter nach. Bitte bezahlen Sie diese Bestellung nicht noch einmal.',
  'notice.processing.title': '{amount} werden verarbeitet',
  'notice.yielding': 'Diese Bestellung wird gerade in einem anderen Fenster bezahlt. Einen Moment bitte.',
  'notice.press_again':
    'Bitte prüfen Sie die Gesamtsumme und drücken Sie dann noch einmal auf die Schaltfläche.',
  'notice.too_small': 'Dieses Formular hat zu wenig Platz zum Bezahlen. Vergrößern Sie das Fenster.',
  'notice.interrupted':
    'Die Seite hat Ihnen beim Tippen die Tastatur weggenommen. Geben Sie Ihre Karte nur in diesem Formular ein, und prüfen Sie die Felder.',
  'notice.not_sent':
    'Ein anderes Fenster war dabei, diese Bestellung zu bezahlen; von hier wurde nichts gesendet. Drücken Sie auf die Schaltfläche, wenn Sie es weiterhin möchten.',
  'notice.started_over':
    'Der letzte Versuch ist beendet, es wurde nichts abgebucht. Sie können erneut bezahlen: Geben Sie Ihre Karte noch einmal ein.',
  'notice.processing': 'Bitte lassen Sie diese Seite geöffnet.',
  'notice.unknown':
    'Wir konnten nicht feststellen, ob abgebucht wurde. Bitte bezahlen Sie nicht noch einmal. Prüfen Sie den Status oder wenden Sie sich an den Shop.',
  'notice.total_changed':
    'Der Gesamtbetrag hat sich von {previous} auf {current} geändert. Bitte prüfen Sie ihn und drücken Sie erneut auf die Schaltfläche.',
  'notice.throttled': 'Sie können es in {time} erneut versuchen.',
  'notice.throttle_over': 'Sie können es jetzt erneut versuchen.',
  'notice.canceled': 'Diese Zahlung wurde storniert und ist nicht mehr möglich.',
  'notice.declined': 'Ihre Karte wurde abgelehnt.',
  'notice.exhausted': 'Alle Versuche sind aufgebraucht. Diese Zahlung ist nicht mehr möglich.',
  'end.not_charged': 'Es wurde nichts abgebucht.',
  'end.not_sent': 'Von dieser Seite aus wurde nichts abgebucht.',
  'end.maybe_charged':
    'Möglicherweise wurde der Betrag abgebucht. Bitte fragen Sie den Shop, bevor Sie noch einmal bezahlen.',
  'notice.unavailable': 'Der Shop kann diese Zahlung gerade nicht annehmen.',
  'notice.offline': 'Sie sind offline. Sobald Sie wieder verbunden sind, können Sie bezahlen.',
  'notice.not_charged':
    'Wir konnten den Zahlungsdienst nicht erreichen und es wurde keine Zahlung erfasst. Sie können es erneut versuchen; diese Bestellung kann nicht doppelt abgebucht werden.',
  'notice.details_refused':
    'Einige Angaben wurden nicht angenommen. Bitte prüfen Sie sie und drücken Sie erneut auf die Schaltfläche.',
  'notice.check_again':
    'Es wurde nichts abgebucht. Bitte prüfen Sie den Gesamtbetrag und drücken Sie erneut auf die Schaltfläche.',

  'notice.succeeded': 'Zahlung eingegangen',
  'success.detail': '{amount} bezahlt',
  'receipt.order': 'Bestellung',
  'receipt.date': 'Datum',
  'receipt.reference': 'Zahlungsnummer',
  'receipt.print': 'Drucken oder speichern',

  'decline.generic':
    'Ihre Karte wurde abgelehnt. Bitte prüfen Sie die Angaben oder verwenden Sie eine andere Karte.',
  'decline.insufficient_funds':
    'Guthaben oder Limit dieser Karte reichen nicht aus. Bitte verwenden Sie eine andere Karte.',
  'decline.expired_card':
    'Diese Karte ist abgelaufen. Bitte prüfen Sie das Ablaufdatum oder verwenden Sie eine andere Karte.',
  'decline.incorrect_cvc': 'Die Prüfnummer stimmt nicht. Bitte prüfen Sie sie und versuchen Sie es erneut.',
  'decline.incorrect_number':
    'Die Kartennummer stimmt nicht. Bitte prüfen Sie sie und versuchen Sie es erneut.',
  'decline.processing':
    'Ihre Bank konnte gerade nicht antworten. Bitte versuchen Sie es gleich noch einmal oder verwenden Sie eine andere Karte.',
  'decline.authentication':
    'Ihre Bank konnte nicht bestätigen, dass Sie es sind. Bitte versuchen Sie es erneut oder verwenden Sie eine andere Karte.',
  'decline.incorrect_expiry':
    'Das Ablaufdatum stimmt nicht. Bitte prüfen Sie es und versuchen Sie es erneut.',
  'decline.incorrect_address':
    'Die Rechnungsadresse passt nicht zu dieser Karte. Bitte prüfen Sie sie oder verwenden Sie eine andere Karte.',
  'decline.not_supported':
    'Diese Karte kann für diese Zahlung nicht verwendet werden. Bitte verwenden Sie eine andere Karte.',
  'decline.duplicate':
    'Ihre Bank hat diese Zahlung als Wiederholung einer kürzlichen Zahlung abgelehnt. Bitte prüfen Sie Ihre letzten Zahlungen, bevor Sie es erneut versuchen.',
};
