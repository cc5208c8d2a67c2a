import type { Catalog } from './en.ts';

/** The words of the form in French. */
export const fr: Catalog = {
  'frame.title': 'Formulaire de carte sécurisé',
  secure: 'Chiffré et transmis uniquement au service de paiement',
  sandbox: 'Environnement de test',
  'sandbox.hint': 'Aucun argent réel n’est débité',

  'section.card': 'Carte',
  'section.billing': 'Facturation',

  'field.number': 'Numéro de carte',
  'field.expiry': 'Expiration',
  'field.cvc': 'Code de sécurité',
  'field.name': 'Nom sur la carte',
  'field.email': 'Adresse e-mail',
  'field.country': 'Pays ou région',
  'field.line1': 'Adresse',
  'field.line2': 'Complément d’adresse',
  'field.city.city': 'Ville',
  'field.city.district': 'District',
  'field.city.post_town': 'Ville',
  'field.city.suburb': 'Localité',
  'field.state.area': 'Zone',
  'field.state.county': 'Comté',
  'field.state.department': 'Département',
  'field.state.district': 'District',
  'field.state.do_si': 'Province ou ville',
  'field.state.emirate': 'Émirat',
  'field.state.island': 'Île',
  'field.state.oblast': 'Oblast',
  'field.state.parish': 'Paroisse',
  'field.state.prefecture': 'Préfecture',
  'field.state.province': 'Province',
  'field.state.region': 'Région',
  'field.state.state': 'État',
  'field.postal_code.postal': 'Code postal',
  'field.postal_code.postcode': 'Code postal',
  'field.postal_code.zip': 'Code ZIP',
  'field.postal_code.pin': 'Code postal (PIN)',
  'field.postal_code.eircode': 'Eircode',
  'field.optional': 'facultatif',
  'field.refused': 'Cette information n’a pas été acceptée. Veuillez la vérifier.',

  'placeholder.number': '1234 1234 1234 1234',
  'placeholder.expiry': 'MM / AA',
  'placeholder.cvc': 'CVC',

  'cvc.help': 'Où trouver le code de sécurité\u202f?',
  'cvc.help.back': 'Les 3 chiffres au dos de votre carte',
  'cvc.help.front': 'Les 4 chiffres au recto de votre carte',

  'number.empty': 'Saisissez votre numéro de carte.',
  'number.incomplete': 'Ce numéro de carte est trop court. Saisissez tous les chiffres.',
  'number.luhn': 'Ce numéro de carte contient une erreur. Comparez-le avec votre carte.',
  'number.length': 'Ce numéro de carte contient trop de chiffres. Comparez-le avec votre carte.',
  'number.unknown_brand': 'Ce numéro ne ressemble pas à un numéro de carte. Comparez-le avec votre carte.',
  'number.not_accepted': 'Cette boutique n’accepte pas {brand}. Veuillez utiliser une autre carte.',
  'expiry.empty': 'Saisissez la date d’expiration de votre carte.',
  'expiry.incomplete': 'Saisissez le mois et l’année, par exemple 05 / 30.',
  'expiry.month': 'Le mois doit être compris entre 01 et 12.',
  'expiry.past': 'Cette carte a expiré. Vérifiez la date ou utilisez une autre carte.',
  'expiry.far_future': 'Cette date est trop lointaine. Vérifiez l’année sur votre carte.',
  'cvc.empty': 'Saisissez le code de sécurité.',
  'cvc.incomplete': 'Le code de sécurité est trop court. Saisissez tous les chiffres.',
  'cvc.length': 'Le code de sécurité contient trop de chiffres.',
  'name.empty': 'Saisissez le nom inscrit sur votre carte.',
  'email.empty': 'Saisissez votre adresse e-mail.',
  'email.incomplete': 'Saisissez l’adresse e-mail complète, par exemple name@example.com.',
  'email.format': 'Vérifiez l’adresse e-mail. Elle doit ressembler à name@example.com.',
  'country.empty': 'Choisissez un pays ou une région.',
  'line1.empty': 'Saisissez votre adresse.',
  'city.empty': 'Remplissez ce champ.',
  'state.empty': 'Remplissez ce champ.',
  'postal_code.empty': 'Saisissez votre code postal.',
  'postal_code.empty.postcode': 'Saisissez votre code postal.',
  'postal_code.empty.zip': 'Saisissez votre code ZIP.',
  'postal_code.empty.pin': 'Saisissez votre code postal (PIN).',
  'postal_code.empty.eircode': 'Saisissez votre Eircode.',
  'postal_code.pattern': 'Vérifiez ce code. Pour ce pays, il ressemble à {example}.',
  'postal_code.unusual':
    'Est-ce correct\u202f? Pour ce pays, ce code ressemble d’habitude à {example}. S’il est correct, appuyez de nouveau sur Payer.',
  'text.too_long': 'Ce texte est trop long. Raccourcissez-le à {max} caractères.',

  pay: 'Payer {amount}',
  'pay.busy': 'Paiement en cours…',
  'action.try_again': 'Réessayer',
  'action.check_status': 'Vérifier l’état',

  total: 'Total',
  details: 'Détails',
  'summary.amount': 'Montant',
  'summary.shipping': 'Livraison',
  'summary.tax': 'Taxes',
  'summary.discount': 'Remise',
  'summary.adjustment': 'Ajustement',
  'summary.fee': 'Frais de traitement',
  'summary.quantity': '{quantity} × {price}',

  'notice.loading': 'Chargement du formulaire de paiement…',
  'notice.load_failed': 'Le formulaire de paiement n’a pas pu être chargé.',
  'notice.confirming': 'Confirmation de votre paiement en cours. Veuillez garder cette page ouverte.',
  'notice.still_confirming':
    'Nous attendons toujours la confirmation de votre banque. Cette commande ne sera pas débitée deux fois.',
  'notice.yielding': 'Une autre fenêtre est en train de payer cette commande. Un instant, s’il vous plaît.',
  'notice.press_again': 'Vérifiez le total, puis appuyez de nouveau sur Payer.',
  'notice.too_small': 'Ce formulaire n’a pas assez de place pour payer. Agrandissez la fenêtre.',
  'notice.not_sent':
    'Une autre fenêtre était en train de payer cette commande\u202f; rien n’a été envoyé d’ici. Appuyez sur Payer si vous le souhaitez toujours.',
  'notice.started_over':
    'La dernière tentative est terminée et rien n’a été débité. Vous pouvez payer de nouveau\u00a0: saisissez encore une fois votre carte.',
  'notice.processing': 'Votre paiement est en cours de traitement. Veuillez garder cette page ouverte.',
  'notice.unknown':
    'Nous n’avons pas pu confirmer le résultat. Ne payez pas une seconde fois. Vérifiez l’état ou contactez la boutique.',
  'notice.total_changed':
    'Le total est passé de {previous} à {current}. Vérifiez-le et appuyez de nouveau sur Payer.',
  'notice.throttled': 'Trop de tentatives. Vous pourrez réessayer dans {time}.',
  'notice.canceled': 'Ce paiement a été annulé et ne peut plus être effectué.',
  'notice.exhausted': 'Toutes les tentatives ont été utilisées. Ce paiement ne peut plus être effectué.',
  'notice.unavailable': 'La boutique ne peut pas accepter ce paiement pour le moment.',
  'notice.offline': 'Vous êtes hors connexion. Vous pourrez payer dès que vous serez de nouveau en ligne.',
  'notice.not_charged':
    'Nous n’avons pas pu joindre le service de paiement et aucun paiement n’a été enregistré. Vous pouvez réessayer\u202f; cette commande ne peut pas être débitée deux fois.',
  'notice.details_refused':
    'Certaines informations n’ont pas été acceptées. Vérifiez-les et appuyez de nouveau sur Payer.',
  'notice.check_again': 'Rien n’a été débité. Vérifiez le total et appuyez de nouveau sur Payer.',

  'notice.succeeded': 'Paiement reçu',
  'success.detail': 'Montant payé\u00a0: {amount}',

  'decline.generic': 'Votre carte a été refusée. Vérifiez les informations ou utilisez une autre carte.',
  'decline.insufficient_funds':
    'Le solde ou le plafond de cette carte est insuffisant. Utilisez une autre carte.',
  'decline.expired_card': 'Cette carte a expiré. Vérifiez la date d’expiration ou utilisez une autre carte.',
  'decline.incorrect_cvc': 'Le code de sécurité est incorrect. Vérifiez-le et réessayez.',
  'decline.incorrect_number': 'Le numéro de carte est incorrect. Vérifiez-le et réessayez.',
  'decline.processing':
    'Votre banque n’a pas pu répondre. Réessayez dans un instant ou utilisez une autre carte.',
  'decline.authentication':
    'Votre banque n’a pas pu confirmer qu’il s’agissait bien de vous. Réessayez ou utilisez une autre carte.',
  'decline.incorrect_expiry': 'La date d’expiration est incorrecte. Vérifiez-la et réessayez.',
  'decline.incorrect_address':
    'L’adresse de facturation ne correspond pas à cette carte. Vérifiez-la ou utilisez une autre carte.',
  'decline.not_supported':
    'Cette carte ne peut pas être utilisée pour ce paiement. Utilisez une autre carte.',
  'decline.duplicate':
    'Votre banque a refusé ce paiement, car il semble répéter un paiement récent. Vérifiez vos derniers paiements avant de réessayer.',
};
