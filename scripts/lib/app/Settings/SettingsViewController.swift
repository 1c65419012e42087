import AppboyUI
import UIKit

class SettingsViewController: UIViewController {
    @IBOutlet private weak var tableView: UITableView!
    private var fontSize: Float = 17
    private var selectedColor = UIColor.systemOrange

    override func viewDidLoad() {
        super.viewDidLoad()
        let tableView = UITableView(frame: view.bounds, style: .insetGrouped)
        tableView.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        tableView.dataSource = self
        tableView.delegate = self
        view.addSubview(tableView)
        self.tableView = tableView
        let appearance = UINavigationBarAppearance()
        appearance.configureWithOpaqueBackground()
        appearance.backgroundColor = .systemGroupedBackground
        appearance.titleTextAttributes = [.foregroundColor: UIColor.label]
        navigationController?.navigationBar.standardAppearance = appearance
        navigationController?.navigationBar.scrollEdgeAppearance = appearance
    }

    @IBAction func sliderChanged(_ sender: UISlider) {
        fontSize = sender.value
    }

    private func changeUser(_ text: String) {
        Appboy.sharedInstance()?.changeUser(text)
        Appboy.sharedInstance()?.user.email = "\(text)@bakery.example"
        UserDefaults.standard.set(text, forKey: "user")
    }
}

extension SettingsViewController: UITableViewDataSource, UITableViewDelegate {
    func numberOfSections(in tableView: UITableView) -> Int { 2 }

    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { section == 0 ? 1 : 2 }

    func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
        section == 0 ? "User" : "Looks"
    }

    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = UITableViewCell()
        switch (indexPath.section, indexPath.row) {
        case (0, _):
            let field = UITextField(frame: CGRect(x: 0, y: 0, width: 180, height: 31))
            field.placeholder = "User id"
            field.delegate = self
            field.returnKeyType = .done
            field.addDoneButtonOnKeyboard()
            cell.accessoryView = field
            cell.textLabel?.text = "User"
        case (_, 0):
            let slider = UISlider(frame: CGRect(x: 0, y: 0, width: 180, height: 31))
            slider.minimumValue = 10
            slider.maximumValue = 30
            slider.value = fontSize
            slider.addTarget(self, action: #selector(sliderChanged(_:)), for: .valueChanged)
            cell.accessoryView = slider
            cell.textLabel?.text = "Size"
        default:
            cell.textLabel?.text = "Colour"
            cell.accessoryType = .disclosureIndicator
        }
        return cell
    }

    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        guard indexPath.section == 1, indexPath.row == 1 else { return }
        let picker = UIColorPickerViewController()
        picker.selectedColor = selectedColor
        picker.delegate = self
        present(picker, animated: true, completion: nil)
    }
}

extension SettingsViewController: UITextFieldDelegate {
    func textFieldShouldReturn(_ textField: UITextField) -> Bool {
        textField.resignFirstResponder()
        if let text = textField.text, !text.isEmpty { changeUser(text) }
        return true
    }
}

extension SettingsViewController: UIColorPickerViewControllerDelegate {
    func colorPickerViewControllerDidSelectColor(_ viewController: UIColorPickerViewController) {
        selectedColor = viewController.selectedColor
        view.window?.tintColor = selectedColor.withAlphaComponent(max(selectedColor.cgColor.alpha, 0.5))
    }
}
