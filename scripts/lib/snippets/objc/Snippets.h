// What the Objective-C snippets import: the header that the compiler makes of ContentCardsABK, and the constants.
#import <Foundation/Foundation.h>
#import <UIKit/UIKit.h>
#import <WebKit/WebKit.h>
#import "ContentCardsUI.h"
#import "ContentCardsABK.h"
#import "ContentCardsABKConstants.h"
