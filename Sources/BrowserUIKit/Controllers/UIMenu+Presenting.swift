extension UIMenu {
    /// Shows the menu over a controller: as a sheet of actions, which a browser has room for, once all that it offers
    /// is there.
    func show(by sender: AnyObject, over controller: UIViewController) {
        resolve { [weak controller] elements in
            if let controller { self.show(elements, by: sender, over: controller) }
        }
    }

    private func show(_ elements: [UIMenuElement], by sender: AnyObject, over controller: UIViewController) {
        let language = controller.view.screen?.environment.language
        let sheet = UIAlertController(title: title.isEmpty ? nil : title, message: nil, preferredStyle: .actionSheet)
        for element in elements {
            if let action = element as? UIAction {
                sheet.addAction(action.alertAction(for: sender))
            } else if let menu = element as? UIMenu {
                sheet.addAction(
                    UIAlertAction(title: menu.title, style: .default) { [weak controller] _ in
                        if let controller { menu.show(by: sender, over: controller) }
                    }
                )
            }
        }
        sheet.addAction(UIAlertAction(title: SystemStrings.cancel.text(in: language), style: .cancel))
        controller.frontmost.present(sheet, animated: true)
    }
}

extension UIAction {
    fileprivate func alertAction(for sender: AnyObject) -> UIAlertAction {
        let style: UIAlertAction.Style = attributes.contains(.destructive) ? .destructive : .default
        let mark = state == .on ? "✓ " : ""
        let alertAction = UIAlertAction(title: mark + title, style: style) { _ in self.perform(by: sender) }
        alertAction.isEnabled = !attributes.contains(.disabled)
        return alertAction
    }
}
